import Essentials
import Foundation
import Hummingbird
import Serving

extension Web {
    /// To the session, or to the page of the second step with the flow in the browser's cookie.
    func answer(_ outcome: SignInOutcome, _ request: Request) throws -> Response {
        switch outcome {
        case .signedIn(let signIn): try signedIn(signIn, request)
        case .secondStep(let start):
            seeOther("/login/second").setting(flows.set(.secondStep, start.flow, in: request))
                .forgettingTyped(request, self)
        }
    }

    /// 303 with the new session's cookie, and the cookie by which this browser is known from now
    /// on. What was typed on the way is forgotten.
    func signedIn(_ signIn: SignIn, _ request: Request) throws -> Response {
        let lifetime = signIn.session.lifetime
        let maxAge = lifetime.cookieAge(at: lifetime.createdAt)
        return try home(signIn.session, wish: signIn.destination ?? returnTo.afterLogin)
            .setting(cookies.set(.session, signIn.token.text, maxAge: maxAge))
            .setting(cookies, signIn.device).forgettingTyped(request, self)
    }
}

extension Problems {
    /// How the API answers a right first step: the session, or 403 with the flow of the second step
    /// (RFC 9457, section 3.2).
    func answer(_ outcome: SignInOutcome, _ context: AppContext) throws -> Response {
        switch outcome {
        case .signedIn(let signIn): return try JSONReply.of(JSONObject.signedIn(signIn))
        case .secondStep(let start):
            var context = context
            context.visitor.locale = "en"
            let detail = web.pages.sentence("refusal.second_step_needed", context)
            var problem = problem(.secondFactorRequired, .forbidden, detail: detail)
            problem["flow"] = start.flow.text
            problem["methods"] = start.methods.map(\.rawValue)
            return try response(problem, .forbidden)
        }
    }
}

extension JSONObject {
    static func signedIn(_ signIn: SignIn) -> JSONObject {
        signedIn(signIn.token, signIn.session, signIn.account)
    }
}

extension Notice {
    static let accountReady = Notice("account_ready", .done)
}

extension Flash {
    static func accountReady(_ account: Account) -> Flash {
        Flash(.accountReady, values: ["display_name": account.displayName])
    }
}
