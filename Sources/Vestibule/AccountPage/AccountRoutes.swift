import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// `/account` and its sections.
struct AccountRoutes {
    let needs: Needs
    let web: Web
    private let rendered = RenderedPages()

    init(needs: Needs, web: Web) {
        self.needs = needs
        self.web = web
    }

    func add(to routes: some RouterMethods<AppContext>) {
        for section in AccountSection.allCases {
            routes.get(RouterPath(section.path)) { try await show(section, $0, $1) }
        }
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
