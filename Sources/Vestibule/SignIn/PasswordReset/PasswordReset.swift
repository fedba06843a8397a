import Essentials
import Foundation
import PasswordHashing

/// A forgotten password: a code by mail, then a new password. The same answers and the same work
/// for every address.
struct PasswordReset: Sendable {
    let store: any PasswordResetStore & IdentityStore & FactorStore & AccountStore
    let flows: CodeFlows
    let hasher: PasswordHasher
    let mailer: Mailer
    let providers: Providers
    let revocation: ProviderRevocation
    let returnTo: ReturnTo
    let random: Randomness

    /// Asks for a code. Changes nothing about an account. Throws `Refusals` for text that is not
    /// an address, and `.limited`.
    func request(
        _ typed: String, returnTo wish: String? = nil, replaces: Token?, visitor: Visitor
    ) async throws -> Token {
        guard let email = EmailAddress(typed) else {
            throw Refusals([typed.trimmingSpaces.isEmpty ? .emailMissing : .emailInvalid])
        }
        let (subject, isKnown) = try await flows.browsers.recoverySubject(visitor, email: email)
        try await flows.limits.take(
            firstOf: flows.recoveryMailClaims(subject, isKnown: isKnown), now: flows.now())
        let record = try await flows.record(email)
        let begun = try await flows.begin(
            email, .account, isKnown: isKnown,
            failuresInARow: record.failuresInARow)
        let pending = PendingReset(code: begun.pending, locale: visitor.locale, returnTo: returnTo.granted(wish))
        // The worker is not woken: the time of an answer must not tell that a mail goes out.
        try await store.addPendingReset(
            pending, replaces: replaces?.digest, mail: mail(begun.code, pending, to: record.account))
        return begun.token
    }

    /// Whether there is one that may have been forgotten.
    func hasPassword(_ account: Account) async throws -> Bool {
        try await store.hasPassword(accountID: account.id)
    }

    /// Sends another code for the same flow; attempts used stay used. Returns false when the flow
    /// has ended or has no attempts left: a mail that is not sent is not counted.
    func resend(_ pending: PendingReset, visitor: Visitor) async throws -> Bool {
        guard !pending.code.isSpent else { return false }
        let (own, isKnown) = try await flows.browsers.recoverySubject(visitor, email: pending.code.email)
        let byLink = linkSubject(pending, visitor).map { [flows.limits.claims(.reset, $0)] } ?? []
        let byBrowser = own.device == nil ? [] : flows.recoveryMailClaims(own, isKnown: isKnown).prefix(1)
        let asStranger = [flows.limits.claims(.mail, own.stranger)]
        try await flows.limits.take(firstOf: byLink + byBrowser + asStranger, now: flows.now())
        let record = try await flows.record(pending.code.email)
        return try await flows.renew(
            .reset, pending.code, .account, isKnown: isKnown || pending.isMailed,
            failuresInARow: record.failuresInARow
        ) { .toOwner(try mail($0, pending, to: record.account)) }
    }

    /// The pending reset of this browser. A proof ends as codes do; then another code is needed.
    func pending(_ flow: Token?) async throws -> PendingReset? {
        guard let flow else { return nil }
        var pending = try await store.pendingReset(flow: flow.digest, now: flows.now())
        if let found = pending, !flows.codes.isAlive(found.code) { pending?.isProved = false }
        return pending
    }

    /// Who is counted for a reset that an operator started. Nil for one that somebody asked for.
    func linkSubject(_ pending: PendingReset, _ visitor: Visitor) -> LimitSubject? {
        guard pending.isMailed else { return nil }
        let flow = pending.code.flow
        return LimitSubject(link: flow, to: pending.code.email, client: visitor.client, flow: flow)
    }

    /// To the address as its owner wrote it: some hosts tell upper from lower case.
    private func mail(_ code: MailedCode, _ pending: PendingReset, to owner: Account?) throws -> QueuedMail {
        try mailer.mail(
            .passwordReset, to: owner?.email ?? pending.code.email, locale: pending.locale, ["code": code.digits],
            id: code.mailID)
    }
}

extension SecurityEvent.Kind {
    static let passwordReset = Self("password_reset", log: "authn_password_change")
}

extension MailContent.Kind {
    static let passwordReset = Self("password-reset", usefulFor: Code.lifetime, isUrgent: true)
    static let passwordChanged = Self("password-changed")
    /// The first one of an account, such as that of somebody invited.
    static let passwordSet = Self("password-set")
}
