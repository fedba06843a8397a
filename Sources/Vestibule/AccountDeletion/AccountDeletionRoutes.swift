import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/delete`: the password, the word typed, and everything is erased.
struct AccountDeletionRoutes {
    let rule: AccountDeletionRule
    let web: Web
    private static let ids = ["current_password": "current-password", "confirm": "delete-confirm"]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/account/delete", use: show)
        routes.post("/account/delete", use: submit)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context, awaitingTerms: true) {
        case .elsewhere(let response): return response
        case .here(let record):
            return try web.pages.render("account/delete", await values(record, context), context)
        }
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record, check) = try await web.guardian.form(request, context, awaitingTerms: true) else {
            return try web.signInFirst(returnTo: AccountSection.data.path)
        }
        do {
            try check()
            guard web.pages.deletionWord(context).matches(form["confirm"]) else {
                throw Refusals([.deletionUnconfirmed])
            }
            try await rule.delete(record, password: form["current_password"], visitor: context.visitor)
            return try farewell(record.account, request, context)
        } catch {
            let refused = RefusedForm(error, ids: Self.ids, otherwise: "current-password", web, request, context)
            guard let refused else { throw error }
            var values = try await values(record, context)
            values["current_password"] = refused.field("current_password")
            values["confirm"] = refused.field("confirm", value: form["confirm"])
            return try refused.page("account/delete", values, context)
        }
    }

    private func farewell(_ account: Account, _ request: Request, _ context: AppContext) throws -> Response {
        // Others may use this browser, and stay known.
        let device = EmailAddress(account.email).flatMap { email in
            context.visitor.device?.removing(email, key: rule.needs.secretKey)
        }
        let cookie = device.map { web.cookies.set(.device, $0.text, maxAge: SiteCookies.deviceMaxAge) }
        return web.leaving(try web.say(.accountDeleted, on: "/"), request)
            .setting(cookie ?? web.cookies.clear(.device))
    }

    private func values(_ record: SessionRecord, _ context: AppContext) async throws -> Values {
        let proof = PasswordProof(needs: rule.needs)
        return [
            "signedIn": true, "csrf": web.guardian.formToken(context), "email": record.account.email,
            "word": web.pages.deletionWord(context).shown,
        ].merging(try await proof.values(record, returnTo: "/account/delete", web, context)) { $1 }
    }
}
