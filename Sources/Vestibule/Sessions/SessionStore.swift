package import Essentials
package import Foundation

/// The store's part of sessions.
package protocol SessionStore: Sendable {
    /// The session behind a token and its account; `nil` when unknown, or when the account is
    /// disabled.
    func session(_ digest: TokenDigest) async throws -> SessionRecord?
    /// What `session` would return now, without waiting. Nil if that has to be asked.
    func rememberedSession(_ digest: TokenDigest) -> SessionRecord?
    /// Notes that a session was used.
    func touchSession(id: SessionID, at now: Date) async throws
    /// Puts a new token in place of the old one; applications that the session has entered are
    /// entered anew. Throws `Superseded` when the old one opens nothing any more.
    func renewSession(_ renewal: SessionRenewal, event: SecurityEvent) async throws
    /// Ends a session of that account by its public id. Returns false when the account has no such
    /// session.
    func endSession(id: SessionID, accountID: AccountID, event: SecurityEvent) async throws -> Bool
    /// Ends every session of the account but one, and what that one has in applications.
    func endOtherSessions(than id: SessionID, accountID: AccountID, event: SecurityEvent) async throws
}

/// What was asked for is not in memory, or has to be noted in the store.
struct NotInMemory: Error {}

/// A session and whose it is.
package struct SessionRecord: Sendable, Equatable {
    package let session: Session
    package let account: Account

    package init(session: Session, account: Account) {
        self.session = session
        self.account = account
    }

    package var sessionID: SessionID { session.id }
    package var accountID: AccountID { account.id }
    package var awaitsTerms: Bool { session.awaitsTerms }
    package var isHeldBack: Bool { session.isHeldBack }
}
