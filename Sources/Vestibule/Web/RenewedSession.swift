import Essentials
import Foundation
import Hummingbird
import Serving

extension Web {
    /// The response, with the cookie of a session's new token.
    func renewed(_ session: Session, _ token: Token, _ response: Response) -> Response {
        let left = Int(session.expiresAt.timeIntervalSince(now()))
        return response.setting(cookies.set(.session, token.text, maxAge: session.remembered ? left : nil))
    }
}
