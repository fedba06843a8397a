import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/auth/continue`: somebody a provider vouches for, who has not been here that way before.
struct ContinueRoutes {
    let signup: ProviderSignup
    let linking: IdentityLinking
    let providers: Providers
    let audit: Audit
    let stepUp: StepUpPages
    let web: Web
    let cookie: AuthCookie
    private static let ids = ["display_name": "continue-display-name", "terms": "continue-terms"]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/auth/continue", use: show)
        routes.post("/auth/continue", use: create)
        routes.signedIn(web, page: "/auth/continue", staleForm: .leadsBack).add(middleware: stepUp)
            .post("/auth/continue/connect", use: connect)
        // A refused request is shown at this URL: reloading it or changing the language leads back.
        routes.get("/auth/continue/connect") { _, _ in seeOther("/auth/continue") }
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let pending = pending(request) else { return try startOver() }
        let step = try await signup.step(pending, record: context.record)
        var values = values(pending, step, context)
        values["display_name"] = ["value": pending.name ?? ""] as Values
        values["remember"] = pending.remember ?? false
        let page = try web.pages.render("auth/continue", values, context)
        guard case .proveAccount(let email) = step else { return page }
        return page.setting(try web.typed.set(Typed(email: email)))
    }

    @Sendable private func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        guard let pending = pending(request) else { return try startOver() }
        do {
            let outcome = try await signup.create(
                pending, name: form["display_name"], acceptsTerms: form["terms"] == "accepted",
                visitor: context.visitor, remembered: form["remember"] == "on"
            )
            guard let outcome else { return seeOther("/auth/continue") }
            let response = web.answer(outcome, request).setting(cookie.clear(.flow))
            guard case .signedIn(let signIn) = outcome else { return response }
            return try web.adding(.accountReady(signIn.account), to: response)
        } catch let fault as ProviderFault {
            audit.log(fault, provider: pending.provider, visitor: context.visitor)
            return try startOver(pending.returnTo)
        } catch {
            let refused = RefusedForm(
                error, ids: Self.ids, otherwise: "continue-display-name", web, request, context)
            guard let refused, !refused.contains(.signupClosed) else { throw error }
            var values = values(pending, .create(email: pending.email ?? ""), context)
            values["display_name"] = refused.field("display_name", value: form["display_name"])
            values["terms"] = refused.field("terms").merging(["checked": form["terms"] == "accepted"]) { $1 }
            values["remember"] = form["remember"] == "on"
            return try refused.page("auth/continue", values, context)
        }
    }

    @Sendable private func connect(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let pending = pending(request) else { return try startOver() }
        guard case .connect = try await signup.step(pending, record: context.record) else {
            return seeOther("/auth/continue")
        }
        guard try await !stepUp.mayAddWayIn(context) else { return try await connected(pending, context) }
        return try await stepUp.question(at: "/auth/continue/connect", returnTo: AccountSection.profile.path)
            .answer(request, context) { try await connected(pending, $0) }
    }

    private func connected(
        _ pending: PendingIdentity, _ context: SignedInContext
    ) async throws -> Response {
        let isAdded: Bool
        do {
            isAdded = try await linking.add(pending, to: context.record, visitor: context.visitor)
        } catch let fault as ProviderFault {
            audit.log(fault, provider: pending.provider, visitor: context.visitor)
            return try startOver(pending.returnTo)
        }
        if isAdded, web.returnTo.granted(pending.returnTo) != nil {
            return seeOther(web.returnTo.destination(pending.returnTo)).setting(cookie.clear(.flow))
        }
        let notice: Notice = isAdded ? .identityAdded : .identityElsewhere
        return try web.say(notice, on: AccountSection.security.path).setting(cookie.clear(.flow))
    }

    private func pending(_ request: Request) -> PendingIdentity? {
        cookie.pending(request, now: web.now())
    }

    private func startOver(_ wish: String? = nil) throws -> Response {
        try web.say(.providerFailed, on: web.link("/login", returnTo: wish)).setting(cookie.clear(.flow))
    }

    private func values(_ pending: PendingIdentity, _ step: ProviderSignup.Step, _ context: AppContext) -> Values {
        var values = LinkValues.of(pending.returnTo, web)
        values["provider"] = providers.label(pending.provider)
        switch step {
        case .create(let email):
            values["email"] = email
            values[signup.isOpen ? "create" : "closed"] = true
        case .proveAccount(let email):
            values["email"] = email
            values["prove"] = true
            // Signing in leads back here, and from here to where the visitor wanted to go.
            values["return_to_encoded"] = web.publicURL.local("/auth/continue")
        case .connect(let email):
            values["email"] = email
            values["connect"] = true
            values["csrf"] = context.session.map(web.formTokens.token)
        case .addressUnproved: values["unproved"] = true
        }
        return values
    }
}
