import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

extension Web {
    func renewed(_ session: Session, _ token: Token, _ response: Response) -> Response {
        response.setting(cookies.set(.session, token.text, maxAge: session.lifetime.cookieAge(at: now())))
    }

    func renewed(_ renewed: RenewedSession, _ response: Response) -> Response {
        self.renewed(renewed.session, renewed.token, response)
    }

    /// What an action answers for a session that has a new token, if it has one, with its cookie,
    /// unless the action has set a later one. What it throws is thrown as `FailureAfterRenewal`.
    func renewed(_ session: RenewedSession?, _ action: () async throws -> Response) async throws -> Response {
        guard let session else { return try await action() }
        do {
            let response = try await action()
            return cookies.sets(.session, in: response) ? response : renewed(session, response)
        } catch let later as FailureAfterRenewal {
            throw later
        } catch {
            throw FailureAfterRenewal(cause: error, renewed: session)
        }
    }

    /// The same response, which also makes the browser forget the session and what its user left
    /// here: the next person at it reads no address in a form. With `goesOn` the browser keeps whom
    /// a provider has vouched for and the typed address, for the sign-in that follows.
    func leaving(_ response: Response, _ request: Request, goesOn: Bool = false) -> Response {
        var response = response.setting(cookies.clear(.session))
        if !goesOn { response = response.forgettingTyped(request, self) }
        let kinds: [SiteCookies.Kind] = [.flow, .auth, .authAnswer, .link] + (goesOn ? [] : [.authPending])
        for kind in kinds where cookies.value(kind, in: request) != nil {
            response.setCookie(cookies.clear(kind))
        }
        return response.clearingSiteData
    }
}

/// What was thrown once a session had a new token: without its cookie, the page that says so would
/// sign the browser out.
struct FailureAfterRenewal: Error {
    let cause: any Error
    let renewed: RenewedSession
}

/// The product's cookies; contract section 8 has their names.
extension SiteCookies.Kind {
    static let session = SiteCookies.Kind(rawValue: "")
    static let device = SiteCookies.Kind(rawValue: "-device")
    static let flow = SiteCookies.Kind(rawValue: "-flow")
    static let link = SiteCookies.Kind(rawValue: "-link")
    static let auth = SiteCookies.Kind(rawValue: "-auth")
    static let authAnswer = SiteCookies.Kind(rawValue: "-auth-answer")
    static let authPending = SiteCookies.Kind(rawValue: "-auth-pending")
    static let typed = SiteCookies.Kind(rawValue: "-typed")
}

extension SiteCookies {
    /// Seconds a browser stays known.
    static let deviceMaxAge = 365 * 86_400
}

extension Response {
    /// The same response, also making the browser forget what it has cached and stored of this
    /// site.
    var clearingSiteData: Response {
        var response = self
        // Not "cookies": the device cookie stays, so that others' failures cannot slow this browser
        // down.
        if let clear = HTTPField.Name("Clear-Site-Data") { response.headers[clear] = "\"cache\", \"storage\"" }
        return response
    }

    /// The same response, also making the browser known, if there is a cookie for it.
    func setting(_ cookies: SiteCookies, _ device: DeviceCookie?) -> Response {
        device.map { setting(cookies.set(.device, $0.text, maxAge: SiteCookies.deviceMaxAge)) } ?? self
    }
}
