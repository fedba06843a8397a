import Essentials
import Foundation

/// Starts, resumes and ends sessions.
struct Sessions: Sendable {
    let store: any SessionStore
    let audit: Audit
    let lifetimes: SessionLifetimes
    /// Whether every account must have a second factor.
    let requiresFactor: Bool
    /// Of the terms in force.
    let termsVersion: String
    /// In seconds: `lastSeenAt` is written at most this often, or each quarter of a shorter idle
    /// time.
    private static let touchInterval: TimeInterval = 60

    /// A new session and the token that opens it; the caller stores it in its own transaction.
    /// `provedAt`: when the person signed in at the provider; nil means the present moment.
    /// `hasFactor`: the account has a second factor that this browser is not asked for. Without
    /// one the session is marked, as the site may come to require it.
    func prepare(
        for account: Account, visitor: Visitor, remembered: Bool, provedBy: FirstFactor = .password,
        provedAt: Date? = nil, secondFactor: SecondFactor? = nil, hasFactor: Bool = false
    ) -> (token: Token, new: NewSession) {
        let token = Token(from: audit.random)
        let start = audit.now()
        let longest = remembered ? lifetimes.rememberedAbsolute : lifetimes.absolute
        let session = Session(
            id: SessionID(from: audit.random), accountID: account.id,
            lifetime: Session.Lifetime(
                createdAt: start, lastSeenAt: start, idle: remembered ? lifetimes.rememberedIdle : lifetimes.idle,
                expiresAt: start.addingTimeInterval(longest.seconds), remembered: remembered),
            proof: Session.Proof(
                at: min(start, max(provedAt ?? start, Date(timeIntervalSince1970: 0))), by: provedBy,
                secondFactor: secondFactor),
            awaitsTerms: account.termsVersion != termsVersion,
            awaitsFactor: secondFactor == nil && !hasFactor, userAgent: visitor.userAgent,
            address: visitor.client.ipAddress
        )
        return (token, NewSession(session: session, tokenDigest: token.digest, replaces: visitor.sessionDigest))
    }

    /// A new token for a session whose owner has just proved who they are (ASVS 7.2.4); the caller
    /// stores it. Without a proof its time stays. A password or a provider alone does not prolong a
    /// second factor that still counts, and replaces one that does not: the account may have none
    /// any more. If it has one, that is asked for.
    func renew(
        _ record: SessionRecord, provedBy: FirstFactor? = nil, secondFactor: SecondFactor? = nil, visitor: Visitor
    ) -> (token: Token, renewal: SessionRenewal) {
        let token = Token(from: audit.random)
        let (last, now) = (record.session.proof, audit.now())
        let kept = provedBy == nil || last.isFresh(at: now) ? last.secondFactor : nil
        let prolongs = secondFactor != nil || (provedBy != nil && kept == nil)
        let renewal = SessionRenewal(
            sessionID: record.sessionID, replaces: visitor.sessionDigest ?? token.digest, tokenDigest: token.digest,
            proof: Session.Proof(
                at: prolongs ? now : last.at, by: provedBy ?? last.by, secondFactor: secondFactor ?? kept),
            absent: record.absent
        )
        return (token, renewal)
    }

    /// Gives the session a new token, as its owner has just proved who they are, for `heldForm` if
    /// one waits. Throws `Superseded` when it has ended.
    func confirm(
        _ record: SessionRecord, by proof: FirstFactor, for heldForm: Token?, visitor: Visitor
    ) async throws -> RenewedSession {
        var (token, renewal) = renew(record, provedBy: proof, visitor: visitor)
        renewal.heldForm = heldForm?.digest
        let event = audit.event(.proved, accountID: record.accountID, visitor: visitor)
        try await store.renewSession(renewal, event: event)
        audit.log(event, visitor: visitor)
        return RenewedSession(session: record.session.renewed(renewal), token: token)
    }

    /// The session that the token of that digest opens; `nil` when it is unknown, ended, idle for
    /// too long or too old.
    func resume(_ token: TokenDigest) -> Lookup<SessionRecord?> {
        if let record = store.rememberedSession(token) { return used(record) }
        return .asks {
            guard let record = try await store.session(token) else { return nil }
            return try await used(record).value
        }
    }

    /// The session as it is now. Returns nil if that token opens nothing any more.
    func current(_ token: TokenDigest) async throws -> SessionRecord? {
        let record = try await store.session(token)
        guard let record, record.session.isAlive(at: audit.now()) else { return nil }
        return record.current(requiresFactor: requiresFactor)
    }

    /// The same session if it is alive, noting now and then that it was seen.
    func used(_ record: SessionRecord) -> Lookup<SessionRecord?> {
        let now = audit.now()
        let lifetime = record.session.lifetime
        let record = record.current(requiresFactor: requiresFactor)
        guard record.session.isAlive(at: now) else { return .known(nil) }
        let interval = min(Self.touchInterval, lifetime.idle.seconds / 4)
        guard now.timeIntervalSince(lifetime.lastSeenAt) >= interval else { return .known(record) }
        return .asks {
            // While the disk is full, a session that is used may end as if it were not: better than
            // to refuse the request.
            let fault = try await StoreUnavailable.exceptFullDisk {
                try await store.touchSession(id: record.session.id, at: now)
            }
            if let fault { audit.log(fault, audit.logger) }
            return record
        }
    }

    /// Signs out: ends the session in the store, so that a saved cookie opens nothing any more, nor
    /// a token that has taken the place of the one it was opened with.
    func signOut(_ record: SessionRecord, visitor: Visitor) async throws {
        _ = try await end(record.sessionID, of: record, by: nil, .logout, visitor)
    }

    /// Ends a session of the same account by its public id. Returns false when the account has no
    /// such session.
    func end(id: SessionID, by record: SessionRecord, visitor: Visitor) async throws -> Bool {
        try await end(id, of: record, by: record.presented, .sessionEnded, visitor)
    }

    private func end(
        _ id: SessionID, of record: SessionRecord, by presented: PresentedSession?, _ kind: SecurityEvent.Kind,
        _ visitor: Visitor
    ) async throws -> Bool {
        let event = audit.event(kind, accountID: record.accountID, visitor: visitor)
        let isEnded = try await store.endSession(id: id, accountID: record.accountID, by: presented, event: event)
        if isEnded { audit.log(event, visitor: visitor) }
        return isEnded
    }

    /// Ends the account's other sessions, and gives this one a new token: a copy of the old one
    /// opens nothing any more. Throws `Superseded`.
    func endOthers(than record: SessionRecord, visitor: Visitor) async throws -> RenewedSession {
        let (token, renewal) = renew(record, visitor: visitor)
        let event = audit.event(.sessionEnded, accountID: record.accountID, visitor: visitor)
        let hasEnded = try await store.endOtherSessions(than: record.presented, renewal: renewal, event: event)
        if hasEnded { audit.log(event, visitor: visitor) }
        return RenewedSession(session: record.session.renewed(renewal), token: token)
    }
}

extension SecurityEvent.Kind {
    package static let login = Self("login", log: "authn_login_success")
    static let logout = Self("logout", log: "session_logout")
    static let sessionEnded = Self("session_ended", log: "authn_token_revoked")
    static let proved = Self("proved", log: "authn_reauthentication")
}
