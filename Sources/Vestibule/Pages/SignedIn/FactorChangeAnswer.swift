import Essentials
import Hummingbird
import Serving

/// The answer to a change of factors or of providers: a redirect to a page that shows the notice
/// and offers to end the other sessions if there are any (ASVS 7.4.3).
struct FactorChangeAnswer: Sendable {
    let store: any AccountStore
    let web: Web

    /// `token` opens the session that made the change from now on; nil if it has not changed.
    func say(
        _ notice: Notice, on page: String, _ token: Token?, _ context: SignedInContext
    ) async throws -> Response {
        let renewed = token.map { RenewedSession(session: context.session, token: $0) }
        return try await web.renewed(renewed) {
            let overview = try await store.accountOverview(accountID: context.account.id, events: 0, now: web.now())
            let hasOthers = overview.alive(at: web.now()).sessions.contains { $0.id != context.session.id }
            return try web.say(Flash(notice, offersToEndOthers: hasOthers), on: page)
        }
    }

    /// For a factor that was added: the browser that added it stays known.
    func say(
        _ notice: Notice, on page: String, _ renewed: RenewedBrowser, _ context: SignedInContext
    ) async throws -> Response {
        try await say(notice, on: page, renewed.token, context).setting(web.cookies, renewed.device)
    }
}
