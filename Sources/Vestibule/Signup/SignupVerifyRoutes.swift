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
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let pending = try await pending(request) else { return startOver() }
        return try page(pending, context, notice: "notice.code_sent")
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        guard let pending = try await pending(request) else { return startOver() }
        do {
            let signIn = try await signup.verify(pending, typed: form["code"], visitor: context.visitor)
            return web.signedIn(signIn).setting(web.cookies.clear(.flow))
        } catch Refusal.emailTaken {
            return try page(pending, context, refusal: .emailTaken).setting(web.cookies.clear(.flow))
        } catch let refusal as Refusal where refusal.field != nil {
            return try page(pending, context, refusal: refusal)
        }
    }

    @Sendable private func resend(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try await Form(request)
        guard let pending = try await pending(request),
            try await signup.resend(pending, visitor: context.visitor)
        else { return startOver() }
        return seeOther("/signup/verify")
    }

    private func pending(_ request: Request) async throws -> PendingSignup? {
        try await signup.pending(web.cookies.value(.flow, in: request).flatMap(Token.init(presented:)))
    }

    private func startOver() -> Response {
        seeOther("/signup?notice=\(Notice.flowExpired.rawValue)").setting(web.cookies.clear(.flow))
    }

    private func page(
        _ pending: PendingSignup, _ context: AppContext, notice: String? = nil, refusal: Refusal? = nil
    ) throws -> Response {
        var values: Values = ["masked": EmailAddress(pending.email)?.masked ?? ""]
        values["notice"] = notice.map { web.pages.sentence($0, context) }
        guard let refusal else { return try web.pages.render("signup/verify", values, context) }
        let refused = RefusedForm(
            [refusal], ids: ["code": "verify-code"], otherwise: "verify-code", web.pages, context
        )
        values["problems"] = refused.problems
        values["code"] = refused.field("code")
        values["exists"] = refusal == .emailTaken
        return try web.pages.render("signup/verify", values, context, status: .unprocessableContent)
    }
}
