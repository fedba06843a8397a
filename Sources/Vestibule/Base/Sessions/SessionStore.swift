package import Essentials
package import Foundation

/// A session for which something is written, and the digest of the token that was presented for it.
/// The store writes only if that token still opens the session, in the same transaction, and throws
/// `Superseded` otherwise: a stolen token leaves nothing behind once another one has replaced it.
package struct PresentedSession: Sendable, Equatable {
    package let id: SessionID
    package let accountID: AccountID
    package let token: TokenDigest
    /// See `SessionRecord.absent`.
    package var absent: FactorPresence = []
}

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
    /// Ends a session of that account by its public id, for another session of it; `nil` when it
    /// signs out itself, and for the operator. Returns false when the account has no such session.
    /// Throws `Superseded`.
    func endSession(
        id: SessionID, accountID: AccountID, by session: PresentedSession?, event: SecurityEvent
    ) async throws -> Bool
    /// Ends every session of the account but that one, which gets a new token, and what it has in
    /// applications. Returns false, and keeps no event, if there is neither. Throws `Superseded`.
    func endOtherSessions(
        than session: PresentedSession, renewal: SessionRenewal, event: SecurityEvent
    ) async throws -> Bool
}

/// A session and whose it is.
package struct SessionRecord: Sendable, Equatable {
    package private(set) var session: Session
    package let account: Account
    /// Of the token that was presented: the session's own, or the one of an application's cookie,
    /// on whose behalf nothing is written.
    let token: TokenDigest
    /// Second factors that were not asked for, as the account had none of them: what is written for
    /// this request is `Superseded` once it has one.
    var absent: FactorPresence = []

    package init(session: Session, account: Account, token: TokenDigest) {
        self.session = session
        self.account = account
        self.token = token
    }

    /// As `Session.current`.
    func current(requiresFactor: Bool) -> SessionRecord {
        var record = self
        record.session = session.current(requiresFactor: requiresFactor)
        return record
    }

    package var presented: PresentedSession {
        PresentedSession(id: session.id, accountID: account.id, token: token, absent: absent)
    }

    var sessionID: SessionID { session.id }
    package var accountID: AccountID { account.id }
    var awaitsTerms: Bool { session.awaitsTerms }
    package var isHeldBack: Bool { session.isHeldBack }
}
