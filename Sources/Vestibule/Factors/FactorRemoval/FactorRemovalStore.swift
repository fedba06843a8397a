package import Essentials
package import Foundation

/// The removal of all factors of an account that an operator has asked for.
package struct DueFactorRemoval: Sendable, Equatable {
    package let account: Account
    let dueAt: Date

    package init(account: Account, dueAt: Date) {
        (self.account, self.dueAt) = (account, dueAt)
    }
}

/// The mail that tells an owner of a removal. Its id names the removal, so that the store sees
/// whether it was sent.
package enum FactorRemovalNotice {
    package static func id(_ accountID: AccountID, due: Date) -> String {
        "factor-removal-\(accountID.rawValue)-\(due.ms)"
    }
}

/// The store's part of removing all factors of an account.
package protocol FactorRemovalStore: Sendable {
    /// Notes when it is due, in place of one that waits and its notice, and queues the notice.
    /// Returns false if the account has no second factor.
    func askFactorRemoval(
        accountID: AccountID, at now: Date, due: Date, notice: QueuedMail, event: SecurityEvent
    ) async throws -> Bool
    /// Those that are due and whose notice has left the outbox, at most 100.
    func dueFactorRemovals(now: Date) async throws -> [DueFactorRemoval]
    /// Removes passkeys, authenticator app, recovery codes and trust in browsers, ends every
    /// session, queues the notice and keeps the event. With `due` only if the removal still waits
    /// for that time. Returns false if nothing was removed.
    func removeFactors(
        accountID: AccountID, due: Date?, notice: QueuedMail, event: SecurityEvent
    ) async throws -> Bool
}
