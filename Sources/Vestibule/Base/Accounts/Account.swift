package import Essentials
package import Foundation
package import PasswordHashing

/// A person who has proved a mailbox and chosen how to sign in.
package struct Account: Sendable, Equatable {
    package let id: AccountID
    package var email: EmailAddress
    package var displayName: String
    package var createdAt: Date
    /// When the mailbox was proved. Nil for accounts made with verification off, and for invited or
    /// imported ones whose owner has not proved it yet.
    package var verifiedAt: Date?
    package var disabledAt: Date?
    package var locale: String
    /// Version of the terms accepted last; `nil` before any.
    package var termsVersion: String?
    /// Names of the groups it is in, sorted.
    package var groups: [String] = []

    /// A new one: not disabled, in no group.
    package init(
        id: AccountID, email: EmailAddress, displayName: String, createdAt: Date, verifiedAt: Date?, locale: String,
        termsVersion: String?
    ) {
        (self.id, self.email, self.displayName) = (id, email, displayName)
        (self.createdAt, self.verifiedAt) = (createdAt, verifiedAt)
        (self.locale, self.termsVersion) = (locale, termsVersion)
    }
}

/// An account as login needs it: with its password hash, if it has one, and the failures in a row
/// for its address.
package struct LoginRecord: Sendable {
    package let account: Account?
    package let passwordHash: PasswordHash?
    package let failuresInARow: Int

    package init(account: Account?, passwordHash: PasswordHash?, failuresInARow: Int) {
        self.account = account
        self.passwordHash = passwordHash
        self.failuresInARow = failuresInARow
    }
}

extension SecurityEvent.Kind {
    static let signup = Self("signup", log: "user_created")
}

/// The store's part of looking at credentials.
package protocol CredentialStore: Sendable {
    /// What a rule needs to know about an address, with or without an account.
    func loginRecord(emailKey: String, failuresKey: [UInt8]) async throws -> LoginRecord
    /// Counts one more failure in a row and keeps the event. Need not survive a power cut.
    func loginFailed(failuresKey: [UInt8], event: SecurityEvent) async throws
}
