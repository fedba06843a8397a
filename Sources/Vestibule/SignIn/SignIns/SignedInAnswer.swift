import Essentials
import Foundation
import Hummingbird
import Serving

extension Web {
    /// To the session, or to the page of the second step with the flow in the browser's cookie.
    func answer(_ outcome: SignInOutcome, _ request: Request) -> Response {
        switch outcome {
        case .signedIn(let signIn): signedIn(signIn, request)
        case .secondStep(let start):
            seeOther("/login/second").setting(flows.set(.secondStep, start.flow, in: request))
                .forgettingTyped(request, self)
        }
    }

    /// 303 with the new session's cookie, and the cookie by which this browser is known from now
    /// on. What was typed on the way is forgotten.
    func signedIn(_ signIn: SignIn, _ request: Request) -> Response {
        let destination = home(signIn.session, wish: signIn.destination)
        let lifetime = signIn.session.expiresAt.timeIntervalSince(signIn.session.createdAt)
        let maxAge = signIn.session.remembered ? Int(lifetime) : nil
        return seeOther(destination).setting(cookies.set(.session, signIn.token.text, maxAge: maxAge))
            .setting(cookies, signIn.device).forgettingTyped(request, self)
    }
}

extension SessionAnswer {
    init(_ signIn: SignIn) {
        self.init(signIn.token, signIn.session, signIn.account)
    }
}

extension Notice {
    static let accountReady = Notice("account_ready", .done)
}

extension Flash {
    /// After a sign-up.
    static func accountReady(_ account: Account) -> Flash {
        Flash(.accountReady, values: ["display_name": account.displayName])
    }
}
