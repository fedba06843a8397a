import Foundation
import HTTPTypes
import Hummingbird

/// `/account`: who is signed in, where, and under which terms.
struct AccountRoutes {
    let needs: Needs
    let sessions: Sessions
    let terms: Terms
    let web: Web
    private let rendered = RenderedPages()

    init(needs: Needs, sessions: Sessions, terms: Terms, web: Web) {
        self.needs = needs
        self.sessions = sessions
        self.terms = terms
        self.web = web
    }

    func add(to routes: Routes) {
        routes.get("/account", show)
        ChangePasswordRoutes(change: ChangePassword(needs: needs, sessions: sessions), web: web).add(to: routes)
        AccountTermsRoutes(terms: AcceptTerms(needs: needs, terms: terms), web: web).add(to: routes)
        ProfileRoutes(profile: Profile(needs: needs), page: self, web: web).add(to: routes)
        EmailChangeRoutes(change: EmailChange(needs: needs, sessions: sessions), web: web).add(to: routes)
        EmailUndoRoutes(rule: EmailUndoRule(needs: needs), sessions: sessions, web: web).add(to: routes)
        AccountExportRoutes(needs: needs, sessions: sessions, web: web).add(to: routes)
        AccountDeletionRoutes(rule: DeleteAccount(needs: needs), web: web).add(to: routes)
        routes.get("/.well-known/change-password") { _, _ in
            Response(status: .found, headers: [.location: "/account/password"])
        }
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context) {
        case .elsewhere(let response): return response
        case .here(let record):
            let said = web.said(request, context)
            guard said["problems"] != nil else {
                return try await page(record, web.notice(request, context), context)
            }
            let values = AccountValues(web: web, context: context, needs: needs)
                .of(try await shown(record, nil, context))
            return try web.pages.render("account", values.merging(said) { $1 }, context)
        }
    }

    private func page(_ record: SessionRecord, _ notice: String?, _ context: AppContext) async throws -> Response {
        let shown = try await shown(record, notice, context)
        if let body = rendered.body(of: shown) { return web.pages.response(body, context) }
        let body = try web.pages.body(
            "account", AccountValues(web: web, context: context, needs: needs).of(shown), context)
        rendered.keep(body, of: shown)
        return web.pages.response(body, context)
    }

    /// What the page shows when its profile form was refused.
    func values(_ record: SessionRecord, profileName: Values, _ context: AppContext) async throws -> Values {
        let values = AccountValues(web: web, context: context, needs: needs).of(try await shown(record, nil, context))
        return values.merging(["profile_name": profileName]) { $1 }
    }

    private func shown(_ record: SessionRecord, _ notice: String?, _ context: AppContext) async throws -> AccountPage {
        AccountPage(
            record: record,
            overview: try await needs.store.accountOverview(
                accountID: record.account.id, events: Activity.shown, now: needs.now()
            ),
            formToken: web.guardian.formToken(context), notice: notice, locale: context.visitor.locale
        )
    }
}
