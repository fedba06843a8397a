import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/auth/continue`: somebody a provider vouches for, who has not been here that way before.
struct ContinueRoutes {
    let signup: ProviderSignup
    let linking: IdentityLinking
    let stepUp: StepUpPages
    let changed: FactorChangeAnswer
    let web: Web
    static let path = "/auth/continue"
    private static let ids = ["display_name": "continue-display-name", "terms": "continue-terms"]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/auth/continue", use: show)
        routes.post("/auth/continue", use: create)
        routes.signedIn(web, page: Self.path).add(middleware: stepUp)
            .post("/auth/continue/connect") { request, context in
                // There the ways in are listed, whether this one was connected before or not.
                guard let pending = pending(request) else {
                    return try nothingPending(request, context.record, AccountSection.security.path)
                }
                guard case .connect = try await signup.step(pending, record: context.record) else {
                    return seeOther(Self.path)
                }
                guard try await !stepUp.mayAddWayIn(context) else { return try await connected(pending, context) }
                return try await stepUp.question(at: "/auth/continue/connect", returnTo: Self.path)
                    .answer(request, context) { try await connected(pending, $0) }
            }
        // A refused request is shown at this URL: reloading it or changing the language leads back.
        routes.get("/auth/continue/connect") { _, _ in seeOther(Self.path) }
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let pending = pending(request) else { return try nothingPending(request, context.record) }
        let step = try await signup.step(pending, record: context.record)
        if case .create = step, isOccupied(pending, context) { return try occupied() }
        var values = values(pending, step, context)
        let typed = web.typed.typed(in: request)
        let name = typed?.displayName ?? ""
        values["display_name"] = ["value": name.isEmpty ? pending.name ?? "" : name] as Values
        values["terms"] = ["checked": typed?.acceptsTerms ?? false] as Values
        values["remember"] = typed?.remembers ?? pending.remember ?? false
        if values["create"] == nil { values["kept_form"] = false }
        let page = try web.pages.render("auth/continue", values, context)
        guard case .proveAccount(let email) = step else { return page }
        return page.setting(try web.typed.set(Typed(email: email)))
    }

    @Sendable private func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        guard let pending = pending(request) else { return try nothingPending(request, context.record) }
        guard !isOccupied(pending, context) else { return seeOther(Self.path) }
        guard signup.isOpen else { throw Refusal.signupClosed }
        let page = FormPage(
            web: web, template: "auth/continue", ids: Self.ids, otherwise: "continue-display-name")
        return try await page.answer(request, context) {
            do {
                let outcome = try await signup.create(
                    pending, name: form["display_name"], acceptsTerms: form["terms"] == "accepted",
                    visitor: context.visitor, remembered: form["remember"] == "on"
                )
                guard let outcome else { return seeOther(Self.path) }
                let response = try web.answer(outcome, request).setting(web.cookies.clear(.authPending))
                guard case .signedIn(let signIn) = outcome else { return response }
                return try web.adding(.accountReady(signIn.account), to: response)
            } catch let fault as ProviderFault {
                web.audit.log(fault, provider: pending.provider, visitor: context.visitor)
                return try startOver(pending.returnTo)
            }
        } again: { refused in
            var values = values(pending, .create(email: pending.email ?? ""), context)
            values["display_name"] = refused.field("display_name", value: form["display_name"])
            values["terms"] = refused.field("terms").merging(["checked": form["terms"] == "accepted"]) { $1 }
            values["remember"] = form["remember"] == "on"
            return values
        }
    }

    private func connected(
        _ pending: PendingIdentity, _ context: SignedInContext
    ) async throws -> Response {
        let outcome: IdentityLinking.Outcome
        do {
            outcome = try await linking.add(pending, to: context.record, visitor: context.visitor)
        } catch let fault as ProviderFault {
            web.audit.log(fault, provider: pending.provider, visitor: context.visitor)
            return try startOver(pending.returnTo)
        }
        let response = try await changed.say(outcome, returnTo: pending.returnTo, context)
        return response.setting(web.cookies.clear(.authPending))
    }

    private func pending(_ request: Request) -> PendingIdentity? {
        web.auth.pending(request, now: web.now())
    }

    /// Whether somebody is signed in here who was not asked whether that session may be replaced.
    private func isOccupied(_ pending: PendingIdentity, _ context: AppContext) -> Bool {
        context.record.map { $0.sessionID != pending.mayReplace } ?? false
    }

    private func occupied() throws -> Response {
        try web.say(.signedInAlready, on: AccountSection.profile.path).setting(web.cookies.clear(.authPending))
    }

    /// Who comes too late is told. Where the cookie is gone as well, somebody who is signed in has
    /// come back after the end, and goes on to `page`, or to where a sign-in leads.
    private func nothingPending(
        _ request: Request, _ record: SessionRecord?, _ page: String? = nil
    ) throws -> Response {
        guard record != nil else { return try startOver() }
        guard web.cookies.value(.authPending, in: request) == nil else {
            return try web.say(.providerFailed, on: AccountSection.security.path)
                .setting(web.cookies.clear(.authPending))
        }
        return seeOther(page ?? web.returnTo.destination(nil))
    }

    private func startOver(_ wish: String? = nil) throws -> Response {
        try web.say(.providerFailed, on: web.link("/login", returnTo: wish)).setting(web.cookies.clear(.authPending))
    }

    private func values(_ pending: PendingIdentity, _ step: ProviderSignup.Step, _ context: AppContext) -> Values {
        var values = LinkValues.of(pending.returnTo, web)
        values["provider"] = linking.providers.label(pending.provider)
        switch step {
        case .create(let email):
            values["email"] = email
            values[signup.isOpen ? "create" : "closed"] = true
        case .proveAccount(let email):
            values["email"] = email
            values["prove"] = true
            guard let record = context.record else {
                // Signing in leads back here, and from here to where the visitor wanted to go.
                values["return_to_encoded"] = web.publicURL.local(Self.path)
                break
            }
            values["signedIn"] = true
            values["current_email"] = record.account.email.typed
            values["csrf"] = web.formTokens.token(of: record.session)
        case .connect(let email):
            values["email"] = email
            values["connect"] = true
            values["csrf"] = context.session.map(web.formTokens.token)
        case .addressUnproved: values["unproved"] = true
        }
        return values
    }
}
