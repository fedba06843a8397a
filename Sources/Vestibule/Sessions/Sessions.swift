package import Essentials
package import Foundation

/// Starts, resumes and ends sessions.
package struct Sessions: Sendable {
    let store: any SessionStore
    let audit: Audit
    let random: Randomness
    let lifetimes: SessionLifetimes
    let now: @Sendable () -> Date
    /// Being seen is written at most this often.
    private static let touchInterval: TimeInterval = 60

    package init(
        store: any SessionStore, audit: Audit, random: Randomness, lifetimes: SessionLifetimes,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.audit = audit
        self.random = random
        self.lifetimes = lifetimes
        self.now = now
    }

    /// A new session and the token that opens it; the caller stores it in its own transaction.
    package func prepare(
        accountID: AccountID, visitor: Visitor, remembered: Bool, awaitsTerms: Bool, provedBy: Session.Proof = .password
    ) -> (token: Token, new: NewSession) {
        let token = Token(from: random)
        let start = now()
        let lifetime = remembered ? lifetimes.rememberedAbsolute : lifetimes.absolute
        let session = Session(
            id: SessionID(from: random), accountID: accountID, createdAt: start, lastSeenAt: start,
            idle: remembered ? lifetimes.rememberedIdle : lifetimes.idle,
            expiresAt: start.addingTimeInterval(lifetime.seconds), remembered: remembered, provedAt: start,
            provedBy: provedBy, awaitsTerms: awaitsTerms, userAgent: visitor.userAgent,
            address: visitor.client
        )
        return (token, NewSession(session: session, tokenDigest: token.digest, replaces: visitor.sessionDigest))
    }

    /// A new token for a session whose owner has just proved who they are (ASVS 7.2.4); the caller
    /// stores it.
    package func renew(
        _ session: Session, provedBy: Session.Proof? = nil, visitor: Visitor
    ) -> (token: Token, renewal: SessionRenewal) {
        let token = Token(from: random)
        let renewal = SessionRenewal(
            sessionID: session.id, replaces: visitor.sessionDigest ?? token.digest, tokenDigest: token.digest,
            provedAt: now(), provedBy: provedBy ?? session.provedBy
        )
        return (token, renewal)
    }

    /// Gives the session a new token, as its owner has just proved who they are. Throws
    /// `Superseded` when it has ended.
    func confirm(_ record: SessionRecord, by proof: Session.Proof, visitor: Visitor) async throws -> Token {
        let (token, renewal) = renew(record.session, provedBy: proof, visitor: visitor)
        let event = audit.event(.proved, accountID: record.accountID, visitor: visitor)
        try await store.renewSession(renewal, event: event)
        audit.log(event, visitor: visitor)
        return token
    }

    /// The session a presented token opens; `nil` when it is unknown, ended, idle for too long or
    /// too old.
    package func resume(_ token: Token) async throws -> SessionRecord? {
        guard let record = try await store.session(token.digest) else { return nil }
        return try await used(record)
    }

    /// The same session if it is alive, noting now and then that it was seen.
    func used(_ record: SessionRecord) async throws -> SessionRecord? {
        let (session, now) = (record.session, now())
        guard session.isAlive(at: now) else { return nil }
        if now.timeIntervalSince(session.lastSeenAt) >= Self.touchInterval {
            try await store.touchSession(id: session.id, at: now)
        }
        return record
    }

    /// Ends the session in the store, so that a saved cookie opens nothing any more.
    package func end(_ token: Token, of record: SessionRecord, visitor: Visitor) async throws {
        let event = audit.event(.logout, accountID: record.accountID, visitor: visitor)
        try await store.endSession(token.digest, event: event)
        audit.log(event, visitor: visitor)
    }

    /// Signs out: ends a session that was not opened with its own token.
    func signOut(_ record: SessionRecord, visitor: Visitor) async throws {
        let event = audit.event(.logout, accountID: record.account.id, visitor: visitor)
        guard try await store.endSession(id: record.session.id, accountID: record.account.id, event: event) else {
            return
        }
        audit.log(event, visitor: visitor)
    }

    /// Ends a session of that account by its public id. Returns false when the account has no such
    /// session.
    package func end(id: SessionID, of account: Account, visitor: Visitor) async throws -> Bool {
        let event = audit.event(.sessionEnded, accountID: account.id, visitor: visitor)
        guard try await store.endSession(id: id, accountID: account.id, event: event) else { return false }
        audit.log(event, visitor: visitor)
        return true
    }

    /// Ends every session of the account but this one.
    func endOthers(than record: SessionRecord, visitor: Visitor) async throws {
        let event = audit.event(.sessionEnded, accountID: record.accountID, visitor: visitor)
        try await store.endOtherSessions(than: record.sessionID, accountID: record.accountID, event: event)
        audit.log(event, visitor: visitor)
    }
}
