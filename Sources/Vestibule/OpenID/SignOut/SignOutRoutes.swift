import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/oauth/logout`: ends the session for a client whose ID token names it, and asks otherwise.
struct SignOutRoutes {
    let reader: SignOutReader
    let sessions: Sessions
    let web: Web

    static let path = "/oauth/logout"

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get(RouterPath(Self.path)) { request, context in
            let fields = Form(query: request)
            return try await answering(fields, request, context) { try await start(fields, request, context) }
        }
        routes.post(RouterPath(Self.path)) { request, context in
            let form = try await Form.ifClean(request)
            return try await answering(form, request, context) {
                guard let form else { throw SignOutFault(page: .unreadable) }
                guard !form.holds("csrf") else { return try await confirm(form, request, context) }
                // The client's page sends no cookies of ours along; a redirect does.
                return seeOther("\(Self.path)?resume=\(try reader.sealed(try await reader.request(form.all)))")
            }
        }
    }

    /// `fields`: what was sent, for the log.
    private func answering(
        _ fields: Form?, _ request: Request, _ context: AppContext, _ answer: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await answer()
        } catch let fault as SignOutFault {
            return try AuthorizationPage(applications: reader.applications, web: web).fault(
                fault.page, client: fault.client, redirect: fields?["post_logout_redirect_uri"],
                question: fault.page == .redirect ? question(SignOutRequest(), context) : [:], request, context)
        }
    }

    private func start(_ fields: Form?, _ request: Request, _ context: AppContext) async throws -> Response {
        guard let fields else { throw SignOutFault(page: .unreadable) }
        let isBack = fields.holds("resume")
        let wish = isBack ? reader.opened(fields["resume"]) : try await reader.request(fields.all)
        guard let record = context.record else { return gone(wish) }
        guard wish.isOf(record.session), request.headers.isNavigation else { return try ask(wish, context) }
        return try await leave(wish, record, request, context)
    }

    /// What was answered to a question of ours.
    private func confirm(_ form: Form, _ request: Request, _ context: AppContext) async throws -> Response {
        let wish = reader.opened(form["resume"])
        guard RequestSource(request, publicURL: web.publicURL.origin) != .elsewhere else {
            throw HTTPError(.forbidden)
        }
        guard let record = context.record else { return gone(wish) }
        guard try web.formTokens.verify(form, of: record.session, request, context.visitor) else {
            return try ask(wish, context)
        }
        return try await leave(wish, record, request, context)
    }

    private func ask(_ wish: SignOutRequest, _ context: AppContext) throws -> Response {
        try web.pages.render("openid/sign-out", question(wish, context), context)
    }

    /// What a page shows that asks whether to sign out; nothing when nobody is signed in. The
    /// application may have ended its own session, so that people believe that they are out.
    private func question(_ wish: SignOutRequest, _ context: AppContext) throws -> Values {
        guard let record = context.record else { return [:] }
        var values: Values = [
            "resume": try reader.sealed(wish), "csrf": web.formTokens.token(of: record.session),
            "email": record.account.email.typed,
        ]
        values["label"] = wish.client.flatMap(reader.applications.client)?.label
        return values
    }

    private func leave(
        _ wish: SignOutRequest, _ record: SessionRecord, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        try await sessions.signOut(record, visitor: context.visitor)
        return web.leaving(try wish.redirect.map(seeOther) ?? web.say(.signedOut, on: "/"), request)
    }

    /// The answer where nobody is signed in: a redirect alone. Another site can cause such a
    /// request, with an image, and must not clear this site's storage or show a notice here.
    private func gone(_ wish: SignOutRequest) -> Response {
        seeOther(wish.redirect ?? "/")
    }
}
