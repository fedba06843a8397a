import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// `/account` and its sections.
struct AccountRoutes {
    let store: any AccountStore & FactorStore & TrustedBrowserStore & ApplicationConsentStore
    let ways: FactorWays
    let providers: Providers
    let applications: Applications
    let web: Web
    private let rendered = RenderedPages()

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(web, page: AccountSection.profile.path)
        for section in AccountSection.allCases {
            group.get(RouterPath(section.path)) { _, context in try await show(section, context) }
        }
        routes.get("/.well-known/change-password") { _, _ in
            Response(status: .found, headers: [.location: "/account/password"])
        }
    }

    private func show(_ section: AccountSection, _ context: SignedInContext) async throws -> Response {
        let shown = AccountPage(
            section: section, record: context.record, content: try await content(of: section, context),
            formToken: web.formToken(context), locale: context.locale)
        // A flash is on one page only.
        let isKept = context.announcement == nil
        if isKept, let body = rendered.body(of: shown) { return web.pages.response(body, context) }
        var values = AccountValues(routes: self, context: context).of(shown)
        let isOffered = section == .profile && ways.offersUpgrade && context.announcement?.flash.notice == .accountReady
        values["offers_passkey"] = isOffered
        // Only after a password is one taken that a browser makes by itself: any other would stay
        // on the device and open nothing.
        values["makes_passkey"] = isOffered && context.session.proof.by == .password
        let body = try web.pages.body(section.template, values, context)
        if isKept { rendered.keep(body, of: shown) }
        return web.pages.response(body, context)
    }

    private func content(of section: AccountSection, _ context: SignedInContext) async throws -> AccountPage.Content {
        let (id, now) = (context.account.id, web.now())
        func overview(events: Int = 0) async throws -> AccountOverview {
            try await store.accountOverview(accountID: id, events: events, now: now)
        }
        return switch section {
        case .profile: .profile
        case .security: .security(try await overview(), try await store.factors(accountID: id))
        case .devices:
            .devices(
                try await overview(), try await store.trustedBrowsers(accountID: id, now: now),
                this: context.visitor.device?.digest)
        case .activity: .activity(try await overview(events: Activity.shown))
        case .data:
            .data(
                try await overview(),
                seenBy: applications.hasClients ? try await store.applicationConsents(accountID: id) : [],
                entered: applications.hasClients ? try await store.enteredClients(accountID: id) : [])
        }
    }
}
