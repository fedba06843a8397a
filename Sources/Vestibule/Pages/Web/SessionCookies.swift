import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

extension Web {
    /// The response, with the cookie of a session's new token.
    func renewed(_ session: Session, _ token: Token, _ response: Response) -> Response {
        let left = Int(session.expiresAt.timeIntervalSince(now()))
        return response.setting(cookies.set(.session, token.text, maxAge: session.remembered ? left : nil))
    }

    func renewed(_ renewed: RenewedSession, _ response: Response) -> Response {
        self.renewed(renewed.session, renewed.token, response)
    }

    /// The same response, which also makes the browser forget the session and what its user left
    /// here: the next person at it reads no address in a form.
    func leaving(_ response: Response, _ request: Request) -> Response {
        var response = response.setting(cookies.clear(.session)).forgettingTyped(request, self)
        if cookies.value(.flow, in: request) != nil { response.setCookie(cookies.clear(.flow)) }
        // Not "cookies": the device cookie stays, so that others' failures cannot slow this browser
        // down.
        if let clear = HTTPField.Name("Clear-Site-Data") { response.headers[clear] = "\"cache\", \"storage\"" }
        return response
    }
}
