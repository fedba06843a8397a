import HTTPTypes
import Hummingbird

/// `/signup/verify`: the code from the mail, another one, or starting over.
struct SignupVerifyRoutes {
    let signup: Signup
    let web: Web

    func add(to routes: Routes) {
        routes.get("/signup/verify", show)
        routes.post("/signup/verify", submit)
        routes.post("/signup/resend", resend)
        // A refused request for another code is shown at this URL: reloading it or changing the language leads back.
        routes.get("/signup/resend") { _, _ in seeOther("/signup/verify") }
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let pending = try await pending(request) else { return startOver(request) }
        var values = shown(pending)
        values["notice"] = web.pages.sentence(Notice(request)?.sentenceKey ?? "notice.code_sent", context)
        return try web.pages.render("signup/verify", values, context)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        guard let pending = try await pending(request) else { return startOver(request) }
        do {
            let signIn = try await signup.verify(pending, typed: form["code"], visitor: context.visitor)
            return web.signedIn(signIn).setting(web.flows.set(.signup, nil, in: request))
        } catch {
            return try page(error, pending, request, context)
        }
    }

    @Sendable private func resend(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try await Form(request)
        guard let pending = try await pending(request) else { return startOver(request) }
        do {
            guard try await signup.resend(pending, visitor: context.visitor) else { return startOver(request) }
            return seeOther("/signup/verify?notice=\(Notice.codeSentAgain.rawValue)")
        } catch {
            return try page(error, pending, request, context)
        }
    }

    private func pending(_ request: Request) async throws -> PendingSignup? {
        try await signup.pending(web.flows.flow(.signup, in: request))
    }

    private func startOver(_ request: Request) -> Response {
        seeOther("/signup?notice=\(Notice.flowExpired.rawValue)").setting(web.flows.set(.signup, nil, in: request))
    }

    private func shown(_ pending: PendingSignup) -> Values {
        ["masked": EmailAddress(pending.email)?.masked ?? ""]
    }

    private func page(
        _ error: any Error, _ pending: PendingSignup, _ request: Request, _ context: AppContext
    ) throws -> Response {
        let ids = ["code": "verify-code"]
        guard let refused = RefusedForm(error, ids: ids, otherwise: "verify-code", web, request, context) else {
            throw error
        }
        var values = shown(pending)
        values["code"] = refused.field("code")
        values["exists"] = refused.contains(.emailTaken)
        values["spent"] = refused.contains(.flowSpent)
        values["ended"] = refused.contains(.emailTaken) || refused.contains(.flowSpent)
        let response = try refused.page("signup/verify", values, context)
        return refused.contains(.emailTaken) ? response.setting(web.flows.set(.signup, nil, in: request)) : response
    }
}
