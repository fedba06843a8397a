package import Essentials
package import Foundation

/// A browser that may leave the second step out.
package struct TrustedBrowser: Sendable, Equatable {
    /// How many an account may have: one more ends the one whose trust ends first.
    package static let mostPerAccount = 50

    /// Names it where its trust is kept; stands on no page.
    package let browser: TokenDigest
    /// Empty for one of an earlier version.
    package let userAgent: String
    package let until: Date

    package init(browser: TokenDigest, userAgent: String, until: Date) {
        (self.browser, self.userAgent, self.until) = (browser, userAgent, until)
    }

    /// Names it on pages.
    var id: String { Base64URL.encode(TokenDigest(of: "trusted \(Hex.text(browser.bytes))").bytes.prefix(16)) }
}

/// Ends what a browser is trusted for.
struct TrustedBrowsers: Sendable {
    let store: any TrustedBrowserStore
    let audit: Audit

    /// By its id on the page. Returns false if the account has none of that id. Throws
    /// `Superseded`.
    func end(_ id: String, by record: SessionRecord, visitor: Visitor) async throws -> Bool {
        let all = try await store.trustedBrowsers(accountID: record.accountID, now: audit.now())
        guard let trusted = all.first(where: { $0.id.isExactly(id) }) else { return false }
        let event = audit.event(.trustEnded, accountID: record.accountID, visitor: visitor)
        let isEnded = try await store.endTrust(in: trusted.browser, by: record.presented, event: event)
        if isEnded { audit.log(event, visitor: visitor) }
        return isEnded
    }
}

/// The store's part of trusted browsers.
package protocol TrustedBrowserStore: Sendable {
    /// Those whose time is not over, the latest first.
    func trustedBrowsers(accountID: AccountID, now: Date) async throws -> [TrustedBrowser]
    /// Asks that browser for the second step again, and keeps the event. Returns false if it was
    /// not trusted. Throws `Superseded`.
    func endTrust(in browser: TokenDigest, by session: PresentedSession, event: SecurityEvent) async throws -> Bool
}

extension SecurityEvent.Kind {
    static let trustEnded = Self("trust_ended", log: "authn_token_revoked")
}
