import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/oauth/authorize`: from a client's request to the code.
struct AuthorizationRoutes {
    let rule: Authorization
    let reader: AuthorizationReader
    let sessions: Sessions
    let entryRefusals: EntryRefusals
    let web: Web

    private var pages: AuthorizationPage { AuthorizationPage(applications: rule.applications, web: web) }

    func add(to routes: some RouterMethods<AppContext>) {
        let path = RouterPath(AuthorizationPage.path)
        routes.get(path) { request, context in
            let fields = Form(query: request)
            return try await answering(fields, request, context) { try await ask(fields, request, context) }
        }
        routes.post(path) { request, context in
            let form = try await Form.ifClean(request)
            return try await answering(form, request, context) {
                guard let form else { throw AuthorizationFault.shown(.unreadable) }
                guard !form.holds("resume") else { return try await decide(form, request, context) }
                // The client's page sends no cookies of ours along; a redirect does.
                let sealed = try reader.sealed(try await reader.request(form.all))
                let hint = form["login_hint"]
                return seeOther(AuthorizationPage.path(sealed).adding(["login_hint": hint.isEmpty ? nil : hint]))
            }
        }
    }

    /// `fields`: what was sent, for the log.
    private func answering(
        _ fields: Form?, _ request: Request, _ context: AppContext, _ answer: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await answer()
        } catch let fault as AuthorizationFault {
            switch fault {
            case .shown(let page):
                return try pages.fault(
                    page, client: fields?["client_id"], redirect: fields?["redirect_uri"], request, context)
            case .sent(let code, let description, let target):
                pages.refusals.log(
                    code, description, client: fields?["client_id"], at: AuthorizationPage.path,
                    visitor: context.visitor)
                return try pages.answer(target, ["error": code, "error_description": description], context)
            }
        }
    }

    private func ask(_ fields: Form?, _ request: Request, _ context: AppContext) async throws -> Response {
        guard let fields else { throw AuthorizationFault.shown(.unreadable) }
        let isBack = fields.holds("resume")
        let wish = isBack ? try reader.opened(fields["resume"]) : try await reader.request(fields.all)
        // In a frame, or for a guess at the next page, nobody is signed in; the sign-in would lead
        // back here at once.
        let record = request.headers.isNavigation ? context.record : nil
        guard record != nil || context.record == nil || wish.isSilent else { throw HTTPError(.forbidden) }
        let response = try await go(wish, record, isBack: isBack, context)
        guard record == nil, let hint = EmailAddress(fields["login_hint"]) else { return response }
        return response.setting(try web.typed.set(Typed(email: hint.typed)))
    }

    /// What was answered to a question of ours.
    private func decide(_ form: Form, _ request: Request, _ context: AppContext) async throws -> Response {
        let wish = try reader.opened(form["resume"])
        guard RequestSource(request, publicURL: web.publicURL.origin) != .elsewhere else {
            throw HTTPError(.forbidden)
        }
        // A refusal changes nothing, so it does not matter who is signed in by now.
        let answer = form["answer"]
        guard ["allow", "again", "prove"].contains(answer) else {
            return try pages.answer(wish.target, ["error": "access_denied"], context)
        }
        guard let record = context.record else { return try first("/login", wish) }
        // The form was made for another session: ask again.
        guard try web.formTokens.verify(form, of: record.session, request, context.visitor) else {
            return try pages.question(wish, try reader.sealed(wish), record, isProof: false, context)
        }
        // The session goes on until the new sign-in takes its place: its end would be told to the
        // application, which may keep in its own session what it began this request with.
        guard answer != "prove" else {
            let login = try first("/login?again=yes", wish)
            guard !wish.expectsAnother(than: record.accountID) else { return login }
            return login.setting(try web.typed.set(Typed(email: record.account.email.typed)))
        }
        guard answer == "again" else { return try await go(wish, record, isBack: true, consents: true, context) }
        try await sessions.signOut(record, visitor: context.visitor)
        return web.leaving(try first("/login", wish), request)
    }

    private func go(
        _ wish: AuthorizationRequest, _ record: SessionRecord?, isBack: Bool, consents: Bool = false,
        _ context: AppContext
    ) async throws -> Response {
        let step: Authorization.Step
        do {
            step = try await rule.next(
                wish, record, isBack: isBack, consents: consents, visitor: context.visitor)
        } catch is Superseded {
            step = .signIn
        }
        switch (step, record) {
        case (.code(let code), _): return try pages.answer(wish.target, ["code": code.text], context)
        case (.refuse(let error), _): return try pages.answer(wish.target, ["error": error], context)
        case (.heldBack, let record?): return try web.home(record.session, wish: here(wish))
        case (.notAdmitted, let record?):
            await entryRefusals.noteEntry(
                of: record.accountID, at: ["application": wish.client], from: context.peer, visitor: context.visitor)
            return try pages.notAdmitted(wish, try reader.sealed(wish), record, context)
        case (.signInAgain, let record?), (.askConsent, let record?):
            var isProof = false
            if case .signInAgain = step { isProof = true }
            return try pages.question(wish, try reader.sealed(wish), record, isProof: isProof, context)
        case (.signIn, _), (_, nil): return try first("/login", wish)
        }
    }

    /// Another page, and then back here.
    private func first(_ page: String, _ wish: AuthorizationRequest) throws -> Response {
        seeOther(web.link(page, returnTo: try here(wish)))
    }

    private func here(_ wish: AuthorizationRequest) throws -> String {
        web.publicURL.local(AuthorizationPage.path(try reader.sealed(wish)))
    }
}
