import Essentials
import Foundation

/// "This was not me": the reader of the mail about a first factor takes back what was added.
/// Everybody is signed out, the password opens nothing any more, and a new one is to be chosen.
struct FactorUndo: Sendable {
    let store: any FactorStore & CredentialStore & IdentityStore
    let links: FactorUndoLinks
    let providers: Providers
    let revocation: ProviderRevocation
    let mailer: Mailer
    let audit: Audit

    /// What a link would take back.
    struct Pending: Sendable {
        let account: Account
        let link: FactorUndoLink
        /// Of the passkey that the mail was about. Nil if that is gone, or it was another factor.
        let passkey: Passkey?
        /// Kinds of other factors that would go.
        let kinds: [SecondFactor]

        var isDisabled: Bool { account.disabledAt != nil }
    }

    /// Returns nil if the link is too old or not ours, if nothing is left that it takes back, or if
    /// the account has another address by now.
    func pending(_ text: String) async throws -> Pending? {
        guard let link = links.read(text),
            let account = try await store.account(link.accountID), links.verifies(text, link, of: account)
        else { return nil }
        let all = try await store.factors(accountID: account.id)
        let passkey = all.passkeys.first(where: link.names)
        let factors = all.added(since: link.since, orPasskey: passkey?.id)
        guard !factors.isEmpty else { return nil }
        return Pending(
            account: account, link: link, passkey: passkey,
            kinds: factors.keys.map(\.kind).filter { $0 != .recoveryCode })
    }

    /// Takes it back; a disabled account stays disabled. Returns false if it is gone meanwhile, or
    /// the link has ended.
    func undo(_ pending: Pending, visitor: Visitor) async throws -> Bool {
        let review = WaysInReview(
            try await store.linkedIdentities(accountID: pending.account.id), [], of: pending.account,
            firstProof: false, now: audit.now())
        let change = try change(pending, review, visitor)
        let isUndone = try await store.takeBackFactors(by: pending.link, passkeyID: pending.passkey?.id, change)
        guard isUndone else { return false }
        mailer.wake()
        ([change.event] + change.unlinked).forEach { audit.log($0, visitor: visitor) }
        await revocation.revoke(review.removed)
        return true
    }

    private func change(_ pending: Pending, _ review: WaysInReview, _ visitor: Visitor) throws -> FactorChange {
        func event(_ kind: SecurityEvent.Kind) -> SecurityEvent {
            audit.event(kind, accountID: pending.account.id, visitor: visitor)
        }
        var values = review.mention(providers)
        if pending.isDisabled { values["disabled"] = "yes" }
        return FactorChange(
            accountID: pending.account.id, renewal: nil,
            notice: try mailer.mail(.factorTakenBack, to: pending.account, values, by: visitor),
            event: event(.factorTakenBack), unlinked: review.removal(event).events)
    }
}

extension SecurityEvent.Kind {
    static let factorTakenBack = Self("factor_taken_back", log: "user_updated")
}

extension MailContent.Kind {
    static let factorTakenBack = Self("factor-taken-back")
}
