import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/email`, `/account/email/verify`, `/account/email/resend`.
struct EmailChangeRoutes {
    let change: EmailChange
    let web: Web
    private static let ids = ["email": "account-email", "current_password": "current-password", "code": "email-code"]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/account/email", use: show)
        routes.post("/account/email", use: request)
        routes.get("/account/email/verify", use: showVerify)
        routes.post("/account/email/verify", use: verify)
        routes.post("/account/email/resend", use: resend)
        // A refused request for another code is shown at this URL: reloading it or changing the language leads back.
        routes.get("/account/email/resend") { _, _ in seeOther("/account/email/verify") }
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
            return try await start(error, email: form["email"], record, request, context)
        }
    }

    private func start(
        _ error: any Error, email: String, _ record: SessionRecord, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        guard let refused = refused(error, otherwise: "account-email", request, context) else { throw error }
        var values = try await values(record, context)
        values["email"] = refused.field("email", value: email)
        values["current_password"] = refused.field("current_password")
        return try refused.page("account/email", values, context)
    }

    @Sendable private func showVerify(_ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context) {
        case .elsewhere(let response): return response
        case .here(let record):
            guard let pending = try await change.pending(flow(request), record.account) else {
                return try startOver(request)
            }
            guard !pending.isSpent else {
                return try web.spent("/account/email", with: ["signedIn": true], context)
            }
            var values = shown(pending, context)
            values["notice"] = web.pages.sentence("notice.code_sent", context)
            return try web.pages.render("account/email/verify", values, context)
        }
    }

    @Sendable private func verify(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record, check) = try await web.guardian.form(request, context) else {
            return try web.firstStep(before: "/account/email", context)
        }
        guard let pending = try await change.pending(flow(request), record.account) else {
            return try startOver(request)
        }
        do {
            try check()
            let token = try await change.verify(pending, typed: form["code"], record, visitor: context.visitor)
            let response = try web.say(.emailChanged, on: "/account")
            return known(pending.email, web.renewed(record.session, token, response), context)
                .setting(web.flows.set(.emailChange, nil, in: request))
        } catch Refusal.emailTakenByOther {
            // The flow has ended: the form to begin with, with the reason.
            return try await start(Refusal.emailTakenByOther, email: pending.email, record, request, context)
                .setting(web.flows.set(.emailChange, nil, in: request))
        } catch {
            return try await page(error, pending, code: form["code"], record, request, context)
        }
    }

    @Sendable private func resend(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (_, record, check) = try await web.guardian.form(request, context) else {
            return try web.firstStep(before: "/account/email", context)
        }
        guard let pending = try await change.pending(flow(request), record.account) else {
            return try startOver(request)
        }
        guard !pending.isSpent else { return seeOther("/account/email/verify") }
        do {
            try check()
            guard try await change.resend(pending, record.account, visitor: context.visitor) else {
                return seeOther("/account/email/verify")
            }
            return try web.say(.codeSentAgain, on: "/account/email/verify")
        } catch {
            return try await page(error, pending, record, request, context)
        }
    }

    /// This browser is known for the new address, as it was for the old one.
    private func known(_ email: String, _ response: Response, _ context: AppContext) -> Response {
        guard let email = EmailAddress(email) else { return response }
        let device = change.needs.browsers.cookie(of: context.visitor, adding: email)
        return response.setting(web.cookies.set(.device, device.text, maxAge: SiteCookies.deviceMaxAge))
    }

    private func flow(_ request: Request) -> Token? {
        web.flows.flow(.emailChange, in: request)
    }

    private func startOver(_ request: Request) throws -> Response {
        // Somebody went back after the end of it.
        guard flow(request) != nil else { return seeOther(AccountSection.profile.path) }
        return try web.say(.emailFlowExpired, on: "/account/email").setting(
            web.flows.set(.emailChange, nil, in: request))
    }

    private func values(_ record: SessionRecord, _ context: AppContext) async throws -> Values {
        let proof = PasswordProof(needs: change.needs)
        return ["signedIn": true, "csrf": web.guardian.formToken(context), "current_email": record.account.email]
            .merging(try await proof.values(record, returnTo: "/account/email", web, context)) { $1 }
    }

    private func shown(_ pending: PendingEmailChange, _ context: AppContext) -> Values {
        ["signedIn": true, "csrf": web.guardian.formToken(context), "email": pending.email]
            .merging(web.tries(pending, context)) { $1 }
    }

    private func refused(
        _ error: any Error, otherwise: String, _ request: Request, _ context: AppContext
    ) -> RefusedForm? {
        RefusedForm(error, ids: Self.ids, otherwise: otherwise, web, request, context)
    }

    private func page(
        _ error: any Error, _ pending: PendingEmailChange, code: String? = nil, _ record: SessionRecord,
        _ request: Request, _ context: AppContext
    ) async throws -> Response {
        guard let refused = refused(error, otherwise: "email-code", request, context) else { throw error }
        // It may have been the last try.
        let after = try await change.pending(flow(request), record.account) ?? pending
        guard !after.isSpent else {
            return try web.spent(error, "/account/email", with: ["signedIn": true], request, context)
        }
        var values = shown(after, context)
        values["code"] = refused.field("code", value: code)
        return try refused.page("account/email/verify", values, context)
    }
}
