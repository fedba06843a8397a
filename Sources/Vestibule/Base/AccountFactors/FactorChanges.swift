import Essentials

/// Prepares what goes with every change of an account's factors, and follows it up.
struct FactorChanges: Sendable {
    let sessions: Sessions
    let mailer: Mailer
    let audit: Audit
    let undo: FactorUndoLinks
    let browsers: KnownBrowsers
    let limits: RateLimits
    let policy: FactorPolicy

    /// What the change is told by.
    struct Told {
        let mail: MailContent.Kind
        let event: SecurityEvent.Kind
    }

    /// The change, and the session's new token. `values` fill the mail; `proved` is the factor that
    /// was just used.
    func prepare(
        _ told: Told, _ record: SessionRecord, _ values: [String: String] = [:], proved: SecondFactor? = nil,
        addsFactor: Bool = false, visitor: Visitor
    ) throws -> (token: Token, change: FactorChange) {
        let (token, renewal) = sessions.renew(record, secondFactor: proved, visitor: visitor)
        let change = FactorChange(
            accountID: record.accountID, renewal: renewal,
            notice: try mailer.mail(told.mail, to: record.account, values, by: visitor),
            event: audit.event(told.event, accountID: record.accountID, visitor: visitor),
            requiresFactor: sessions.requiresFactor, counted: policy.counted, addsFactor: addsFactor)
        return (token, change)
    }

    /// Counts the addition of a factor, or of recovery codes, against its limit. Removing is not
    /// counted, so that nobody can keep an owner from it. Throws `Refusal.limited`.
    func admit(
        _ addition: RateLimits.Action = .factorAddition, to record: SessionRecord, visitor: Visitor
    ) async throws {
        let subject = LimitSubject(client: visitor.client, account: record.accountID)
        try await limits.take(addition, subject, now: audit.now())
    }

    /// Of a factor that is added to those `before`: the mail about the first one has a link that
    /// takes it back. Unless it is no factor, known browsers but this one are forgotten:
    /// a person who had the password may have collected their cookies, each with tries of its own.
    func prepareAddition(
        _ told: Told, _ record: SessionRecord, passkey: String? = nil, to before: AccountFactors,
        _ values: [String: String] = [:], proved: SecondFactor? = nil, isFactor: Bool = true, visitor: Visitor
    ) async throws -> FactorAddition {
        try await admit(isFactor ? .factorAddition : .passkeyUpgrade, to: record, visitor: visitor)
        let email = record.account.email
        let link = before.asksSecondStep(by: policy) ? nil : undo.link(passkey: passkey, of: record.account)
        let values = values.merging(link.map { undo.values($0, of: record.account) } ?? [:]) { $1 }
        let isKnown = try await browsers.isKnown(visitor, to: email)
        var (token, change) = try prepare(
            told, record, values, proved: proved, addsFactor: isFactor, visitor: visitor)
        change.undo = link.map {
            Once(digest: FactorUndoLink.open(record.accountID, emailKey: email.key), until: $0.expiresAt)
        }
        return FactorAddition(token: token, change: change, keepsBrowser: isFactor && isKnown)
    }

    /// After the store has made it.
    func made(_ change: FactorChange, visitor: Visitor) {
        mailer.wake()
        audit.log(change.event, visitor: visitor)
    }

    /// After the store has added the factor. The browser's cookie is made now, so that it is later
    /// than those that the store has forgotten.
    func made(_ addition: FactorAddition, _ record: SessionRecord, visitor: Visitor) -> RenewedBrowser {
        made(addition.change, visitor: visitor)
        let device = addition.keepsBrowser ? browsers.cookie(of: visitor, adding: record.account.email) : nil
        return RenewedBrowser(token: addition.token, device: device)
    }
}

/// A factor that the store is about to add.
struct FactorAddition: Sendable {
    /// Opens the session from then on.
    let token: Token
    let change: FactorChange
    /// Whether the browser was known, and stays so.
    let keepsBrowser: Bool
}

/// What the browser goes on with that added a factor or changed the password.
struct RenewedBrowser: Sendable {
    /// Opens the session from now on.
    let token: Token
    /// Keeps the browser known. Nil if it was not, or is without it.
    let device: DeviceCookie?
}
