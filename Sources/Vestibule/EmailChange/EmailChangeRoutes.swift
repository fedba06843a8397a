import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/email`: the new address and the current password.
struct EmailChangeRoutes {
    let change: EmailChange
    let proof: Reauthentication
    let web: Web
    private static let ids = ["email": "account-email", "current_password": "current-password"]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/account/email", use: show)
        routes.post("/account/email", use: request)
        EmailChangeVerifyRoutes(change: change, start: self, web: web).add(to: routes)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context) {
        case .elsewhere(let response): return response
        case .here(let record):
            return try web.pages.render("account/email", await values(record, context), context)
        }
    }

    @Sendable private func request(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record, check) = try await web.guardian.form(request, context) else {
            return try web.firstStep(before: "/account/email", context)
        }
        do {
            try check()
            let flow = try await change.request(
                form["email"], password: form["current_password"], record, visitor: context.visitor
            )
            return seeOther("/account/email/verify").setting(web.flows.set(.emailChange, flow, in: request))
        } catch {
            return try await page(error, email: form["email"], record, request, context)
        }
    }

    /// The form again.
    func page(
        _ error: any Error, email: String, _ record: SessionRecord, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let refused = RefusedForm(error, ids: Self.ids, otherwise: "account-email", web, request, context)
        guard let refused else { throw error }
        var values = try await values(record, context)
        values["email"] = refused.field("email", value: email)
        values["current_password"] = refused.field("current_password")
        return try refused.page("account/email", values, context)
    }

    private func values(_ record: SessionRecord, _ context: AppContext) async throws -> Values {
        ["signedIn": true, "csrf": web.guardian.formToken(context), "current_email": record.account.email]
            .merging(try await proof.values(record, returnTo: "/account/email", web, context)) { $1 }
    }
}
