import Essentials
import Hummingbird
import Serving

/// `/account/email`: the new address and the current password.
struct EmailChangeRoutes {
    let change: EmailChange
    let proof: Reauthentication
    let stepUp: StepUpPages
    let web: Web
    private static let path = "/account/email"

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(web, page: Self.path).add(middleware: stepUp)
        group.get(RouterPath(Self.path), use: show)
        group.post(RouterPath(Self.path), use: request)
        EmailChangeVerifyRoutes(change: change, start: self, web: web).add(to: group)
    }

    @Sendable private func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try web.pages.render("account/email", await values(context.record, context), context)
    }

    @Sendable private func request(_ request: Request, _ context: SignedInContext) async throws -> Response {
        do {
            let form = try context.formWithPasswords()
            let flow = try await change.request(
                form["email"], password: form["current_password"], context.record, visitor: context.visitor
            )
            return seeOther("/account/email/verify").setting(web.flows.set(.emailChange, flow, in: request))
        } catch {
            return try await page(error, email: context.typed("email"), context.record, request, context)
        }
    }

    /// The form again.
    func page(
        _ error: any Error, email: String, _ record: SessionRecord, _ request: Request, _ context: some VisitorContext
    ) async throws -> Response {
        let page = FormPage(
            web: web, template: "account/email",
            ids: ["email": "account-email", "current_password": "current-password"], otherwise: "account-email")
        return try await page.again(error, request, context) { refused in
            var values = try await values(record, context)
            values["email"] = refused.field("email", value: email)
            values["current_password"] = refused.field("current_password")
            return values
        }
    }

    private func values(_ record: SessionRecord, _ context: some VisitorContext) async throws -> Values {
        let own: Values = [
            "signedIn": true, "csrf": web.formTokens.token(of: record.session),
            "current_email": record.account.email.typed,
        ]
        return own.merging(try await proof.values(record, returnTo: Self.path, web, context)) { $1 }
    }
}

extension Notice {
    static let emailChanged = Notice("email_changed", .saved)
    static let emailFlowExpired = Notice("email_flow_expired", .problem)
    static let emailRestored = Notice("email_restored", .saved)
    static let undoGone = Notice("undo_gone", .problem)
    static let undoTaken = Notice("undo_taken", .problem)
}

extension LinkKind {
    static let emailUndo = LinkKind(name: "undo", page: "/account/email/undo")
}
