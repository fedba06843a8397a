import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// `/account` and its sections.
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
        for section in AccountSection.allCases {
            routes.get(section.path) { try await show(section, $0, $1) }
        }
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

    private func show(_ section: AccountSection, _ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context) {
        case .elsewhere(let response): return response
        case .here(let record): return try await page(section, record, context)
        }
    }

    private func page(
        _ section: AccountSection, _ record: SessionRecord, _ context: AppContext
    ) async throws -> Response {
        let shown = try await shown(section, record, context)
        // A flash is on one page only.
        let isKept = context.announcement == nil
        if isKept, let body = rendered.body(of: shown) { return web.pages.response(body, context) }
        let values = AccountValues(web: web, context: context, needs: needs).of(shown)
        let body = try web.pages.body(section.template, values, context)
        if isKept { rendered.keep(body, of: shown) }
        return web.pages.response(body, context)
    }

    /// What the profile shows when its form was refused.
    func values(_ record: SessionRecord, profileName: Values, _ context: AppContext) async throws -> Values {
        let shown = try await shown(.profile, record, context)
        return AccountValues(web: web, context: context, needs: needs).of(shown)
            .merging(["profile_name": profileName]) { $1 }
    }

    private func shown(
        _ section: AccountSection, _ record: SessionRecord, _ context: AppContext
    ) async throws -> AccountPage {
        let overview: AccountOverview? =
            section == .profile
            ? nil
            : try await needs.store.accountOverview(
                accountID: record.account.id, events: section == .activity ? Activity.shown : 0, now: needs.now())
        return AccountPage(
            section: section, record: record, overview: overview, formToken: web.guardian.formToken(context),
            locale: context.visitor.locale)
    }
}
