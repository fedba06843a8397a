import Essentials
import Foundation

/// "This was not me": the reader of the mail about a first factor takes it back. Everybody is
/// signed out, and a new password is to be chosen next.
struct FactorUndo: Sendable {
    let store: any FactorStore & CredentialStore
    let links: FactorUndoLinks
    let providers: Providers
    let mailer: Mailer
    let audit: Audit

    /// What a link would take back.
    struct Pending: Sendable {
        let account: Account
        let factor: FactorUndoLink.Factor
        /// Of a passkey; nil for the authenticator app.
        let name: String?
    }

    /// Returns nil if the link is too old or not ours, if the factor is gone, or if the account has
    /// another address by now.
    func pending(_ text: String?) async throws -> Pending? {
        guard let link = text.flatMap(links.open) else { return nil }
        let account = try await store.loginRecord(emailKey: link.emailKey, failuresKey: []).account
        guard let account, account.id == link.accountID else { return nil }
        let factors = try await store.factors(accountID: account.id)
        switch link.factor {
        case .passkey(let id):
            guard let passkey = factors.passkeys.first(where: { $0.id == id }) else { return nil }
            return Pending(account: account, factor: link.factor, name: passkey.name)
        case .app(let addedAt):
            // Kept in milliseconds.
            guard let totp = factors.totp, abs(totp.createdAt.timeIntervalSince(addedAt)) < 0.002 else { return nil }
            return Pending(account: account, factor: link.factor, name: nil)
        }
    }

    /// Takes it back. Returns false if it is gone meanwhile, or nothing else would open the
    /// account.
    func undo(_ pending: Pending, visitor: Visitor) async throws -> Bool {
        let change = try change(pending, visitor)
        switch pending.factor {
        case .passkey(let id):
            let configured = providers.all.map(\.settings.name)
            let removal = try await store.removePasskey(id: id, configured: configured, change)
            guard removal == .removed else { return false }
        case .app:
            guard try await store.removeTOTP(change) else { return false }
        }
        mailer.wake()
        audit.log(change.event, visitor: visitor)
        return true
    }

    private func change(_ pending: Pending, _ visitor: Visitor) throws -> FactorChange {
        FactorChange(
            accountID: pending.account.id, renewal: nil, notice: try mailer.mail(.factorTakenBack, to: pending.account),
            event: audit.event(.factorTakenBack, accountID: pending.account.id, visitor: visitor), endsSessions: true)
    }
}
