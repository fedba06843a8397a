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
        AccountTermsRoutes(needs: needs, terms: terms, web: web).add(to: routes)
        routes.get("/.well-known/change-password") { _, _ in
            Response(status: .found, headers: [.location: "/account/password"])
        }
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context) {
        case .elsewhere(let response): return response
        case .here(let record): return try await page(record, Notice(request), context)
        }
    }

    private func page(_ record: SessionRecord, _ notice: Notice?, _ context: AppContext) async throws -> Response {
        let overview = try await needs.store.accountOverview(accountID: record.account.id, now: needs.now())
        let formToken = web.guardian.formToken(context)
        let shown = AccountPage(
            record: record, overview: overview, formToken: formToken, notice: notice, locale: context.visitor.locale
        )
        if let body = rendered.body(of: shown) { return web.pages.response(body, context) }
        let body = try web.pages.body("account", values(shown, context), context)
        rendered.keep(body, of: shown)
        return web.pages.response(body, context)
    }

    private func values(_ shown: AccountPage, _ context: AppContext) -> Values {
        var values: Values = [
            "signedIn": true,
            "csrf": shown.formToken,
            "others": shown.overview.sessions.count > 1,
            "display_name": shown.record.account.displayName,
            "email": shown.record.account.email,
            "sessions": shown.overview.sessions.map {
                row($0, isCurrent: $0.id == shown.record.session.id, context)
            },
            "consents": shown.overview.consents.map { consent -> Values in
                ["version": consent.version, "accepted": Moment.text(consent.acceptedAt)]
            },
        ]
        values["notice"] = shown.notice.map { web.pages.sentence($0.sentenceKey, context) }
        return values
    }

    private func row(_ session: Session, isCurrent: Bool, _ context: AppContext) -> Values {
        [
            "id": session.id,
            "device": Device(userAgent: session.userAgent).name
                ?? web.pages.sentence("account.unknown_device", context),
            "address": ClientAddress(session.address)?.shortened ?? "",
            "first_seen": Moment.text(session.createdAt),
            "last_seen": Moment.text(session.lastSeenAt),
            "current": isCurrent,
        ]
    }
}
