import Essentials
import Foundation
import Logging
import PasswordHashing

/// A recent proof by somebody who is signed in (ASVS 6.2.3, 7.5.1): the current password, or a
/// provider's word for an account without one.
struct Reauthentication: Sendable {
    let store: any CredentialStore & AccountStore & SessionStore
    let hasher: PasswordHasher
    let browsers: KnownBrowsers
    let limits: RateLimits
    let providers: Providers
    let key: SecretKey
    let audit: Audit
    let now: @Sendable () -> Date

    /// Whether the password was given, or a provider vouched, lately in this session.
    func isFresh(_ session: Session) -> Bool { session.proof.isFresh(at: now()) }

    /// Names of the providers that can vouch for an account without a password. Returns nil for an
    /// account with one.
    func waysWithoutPassword(_ account: Account) async throws -> [String]? {
        // Without a provider every account has a password.
        guard !providers.all.isEmpty else { return nil }
        let overview = try await store.accountOverview(accountID: account.id, events: 0, now: now())
        guard !overview.hasPassword else { return nil }
        return Set(overview.identities.map(\.provider).filter { providers.named($0) != nil }).sorted()
    }

    /// Returns the hash the password was proved against; nil for an account without one, whose
    /// owner has lately signed in another way. Throws `Refusals` for an empty or a wrong password,
    /// `Superseded` when the session has ended, and `Refusal.limited`: guessing here counts, and is
    /// told, like guessing at login.
    func check(_ typed: String, of record: SessionRecord, visitor: Visitor) async throws -> PasswordHash? {
        let account = record.account
        let email = account.email
        let login = try await store.loginRecord(emailKey: email.key, failuresKey: key.failuresKey(email))
        guard login.account?.id == account.id else { throw Superseded() }
        guard login.passwordHash != nil else {
            guard isFresh(record.session) else { throw Refusals([.proofMissing]) }
            return nil
        }
        guard !typed.isEmpty else { throw Refusals([.currentPasswordMissing]) }
        let known = try await browsers.subject(visitor, email: email)
        let returned = try await take(known, record.session)
        let hash = login.passwordHash
        let matches = try await limits.unlessBusy(returned) {
            try await hasher.verify(
                Password(typed), against: hash, client: visitor.client.bucket, isKnown: known.device != nil)
        }
        // A request may be under way for half a minute: in a session that has ended since, somebody
        // could guess the new password. A right guess counts as a wrong one, and takes as long.
        let isOpen = try await store.session(record.token) != nil
        guard isOpen, matches, let hash else {
            try await fail(account, key.failuresKey(email), visitor)
            throw isOpen ? Refusals([.currentPasswordWrong]) : Superseded()
        }
        try await limits.giveBack(returned)
        return hash
    }

    /// For a form that is refused anyway, as all that is wrong with it is said at once: that the
    /// current password is missing, if the account has one.
    func missing(_ typed: String, of account: Account) async throws -> [Refusal] {
        guard typed.isEmpty, try await store.hasPassword(accountID: account.id) else { return [] }
        return [.currentPasswordMissing]
    }

    /// Counts a try by the browser or, where it is not known or its tries are used up, by the
    /// session, so that strangers who fail at the login use up nothing of it. And always by the
    /// session, which may be stolen together with the cookie of a known browser. Returns what a
    /// success gives back.
    private func take(_ known: LimitSubject, _ session: Session) async throws -> [LimitClaim] {
        var own = known
        own.device = session.id.rawValue
        return try await limits.take(
            .login, firstOf: known.device == nil ? [own] : [known, own], and: limits.claims(.proof, own), now: now())
    }

    private func fail(_ account: Account, _ failuresKey: [UInt8], _ visitor: Visitor) async throws {
        let event = audit.event(.proofFailed, accountID: account.id, visitor: visitor)
        try await store.loginFailed(failuresKey: failuresKey, event: event)
        audit.log(event, visitor: visitor)
    }
}

extension SecurityEvent.Kind {
    static let proofFailed = Self("proof_failed", log: "authn_login_fail", .warning)
}
