package import PasswordHashing

/// An account that an import is to make, and the line it stands in.
package struct StagedAccount: Sendable {
    package let line: Int
    /// Has agreed to no terms: it is asked at its first login.
    package let account: Account
    /// In the form it came in; `nil` for somebody who has to reset the password first.
    package let passwordHash: PasswordHash?
    package var factors: ImportedFactors?
}

/// A line that the store refuses.
package struct RefusedLine: Sendable, Equatable {
    package let line: Int
    package let refusal: ImportRefusal

    package init(line: Int, refusal: ImportRefusal) {
        (self.line, self.refusal) = (line, refusal)
    }
}

/// What became of everything staged.
package enum ImportCompletion: Sendable, Equatable {
    /// So many accounts are made; these lines were not, their addresses having been taken
    /// meanwhile.
    case done(Int, taken: [Int])
    /// Nothing was made, because the addresses of these lines were taken meanwhile.
    case taken([Int])
}

/// The store's part of an import: accounts are staged aside, then made all at once. One import at a
/// time a store.
package protocol ImportStore: Sendable {
    /// Makes an empty place for accounts to wait in, which nobody else sees and which goes with the
    /// process.
    func beginImport() async throws
    /// Stages accounts and returns those that cannot be: their mailbox is staged or has an account
    /// already. Takes no lock that others wait for.
    func stage(_ accounts: [StagedAccount]) async throws -> [RefusedLine]
    /// Makes every staged account and keeps the event in one transaction; when an address was taken
    /// meanwhile, nothing or the others.
    func completeImport(skipTaken: Bool, event: SecurityEvent) async throws -> ImportCompletion
    /// Forgets what is staged.
    func endImport() async throws
}
