import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/password`.
struct PasswordChangeRoutes {
    let change: PasswordChange
    let web: Web
    private static let ids = [
        "current_password": "current-password", "password": "new-password",
        "password_confirmation": "account-password-confirmation",
    ]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/account/password", use: show)
        routes.post("/account/password", use: submit)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context) {
        case .elsewhere(let response): return response
        case .here(let record):
            guard try await hasPassword(record) else { return seeOther("/reset") }
            return try web.pages.render("account/password", values(record, context), context)
        }
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (fields, record, check) = try await web.guardian.form(request, context) else {
            return try web.firstStep(before: "/account/password", context)
        }
        // A first password is chosen with a code from the mailbox.
        guard try await hasPassword(record) else { return seeOther("/reset") }
        let new = NewPassword(password: fields["password"], confirmation: fields["password_confirmation"])
        do {
            try check()
            let (token, device, ways) = try await change.change(
                record, to: new, current: fields["current_password"], visitor: context.visitor
            )
            let response = try web.say(
                Flash(.passwordReplaced, ways: ways, providers: web.providers), on: AccountSection.security.path)
            return web.renewed(record.session, token, response).setting(web.cookies, device)
        } catch {
            let refused = RefusedForm(
                error, ids: Self.ids, otherwise: "current-password", web, request, context
            )
            guard let refused else { throw error }
            var values = values(record, context)
            for name in Self.ids.keys { values[name] = refused.field(name) }
            return try refused.page("account/password", values, context)
        }
    }

    private func hasPassword(_ record: SessionRecord) async throws -> Bool {
        try await change.needs.store.hasPassword(accountID: record.account.id)
    }

    private func values(_ record: SessionRecord, _ context: AppContext) -> Values {
        ["signedIn": true, "csrf": web.guardian.formToken(context), "email": record.account.email]
    }
}
