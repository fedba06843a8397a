import Crypto
import Essentials
import Foundation

/// A second factor once more before what decides who opens the account (ASVS 7.5.1), for accounts
/// that have one. A form that came too early is kept, and goes on after the proof.
struct StepUp: Sendable {
    let store: any FactorStore & HeldFormStore & PendingLoginStore
    let kinds: FactorKinds
    let reauthentication: Reauthentication
    let sessions: Sessions
    let random: Randomness
    let policy: FactorPolicy

    private var audit: Audit { reauthentication.audit }
    private var key: SecretKey { reauthentication.key }
    private var failures: FactorFailures {
        FactorFailures(store: store, kinds: kinds, limits: reauthentication.limits, key: key)
    }
    private var now: Date { reauthentication.now() }

    /// A form, and where it was sent. Passwords are left out: they would rest in the database, its
    /// log and its backups.
    struct Held: Codable, Sendable {
        let path: String
        let fields: [String: String]
        /// Whether passwords were left out, now or before, so that the form asks for them again.
        let lacksSecrets: Bool
        private static let secrets: Set = ["current_password", "password", "password_confirmation"]

        init(path: String, fields: [String: String], lacksSecrets: Bool) {
            self.path = path
            self.fields = fields.filter { !Self.secrets.contains($0.key) }
            self.lacksSecrets = lacksSecrets || self.fields.count < fields.count
        }
    }

    /// What must be proved first.
    enum Missing: Sendable {
        case secondFactor(AccountFactors)
        /// The password, or a provider's word for an account without one.
        case firstFactor
    }

    /// Returns nil if nothing must be. The first factor is asked for by itself only where
    /// `asksFirst`: elsewhere the form carries the password.
    func missing(
        _ record: SessionRecord, _ factors: RequestFactors, asksFirst: Bool
    ) async throws -> Missing? {
        if let factors = try await missingFactors(record, factors) { return .secondFactor(factors) }
        return asksFirst && !reauthentication.isFresh(record.session) ? .firstFactor : nil
    }

    /// The account's second factors, if it has some and what was proved lately does not suffice.
    /// Returns nil if nothing is missing.
    private func missingFactors(_ record: SessionRecord, _ factors: RequestFactors) async throws -> AccountFactors? {
        let proved = reauthentication.isFresh(record.session) ? record.session.proof.secondFactor : nil
        guard policy.asksSecondFactor, proved != .passkey else { return nil }
        let factors = try await factors.read(store).counted(passkeys: policy.takesPasskeys)
        guard factors.asksSecondStep else { return nil }
        guard let proved, suffices(proved, record.session, factors) else { return factors }
        return nil
    }

    /// The record of a request for which nothing is missing. If the account has no second factor,
    /// what is written with it is `Superseded` once it has one.
    func lacking(_ record: SessionRecord, _ factors: RequestFactors) async throws -> SessionRecord {
        guard policy.asksSecondFactor,
            try await !factors.read(store).counted(passkeys: policy.takesPasskeys).asksSecondStep
        else { return record }
        var record = record
        record.absent = policy.counted
        return record
    }

    /// A recovery code stands in for everything that was lost. The code of an app does for an
    /// account with a passkey only when it was given since the sign-in, in place of the passkey:
    /// the code of a sign-in may have been typed into a copy of the site.
    private func suffices(_ proved: SecondFactor, _ session: Session, _ factors: AccountFactors) -> Bool {
        proved == .recoveryCode || factors.strongest != .passkey || session.proof.at > session.lifetime.createdAt
    }

    /// Whether a way in may be added: the password was given lately, or, where there is none, a
    /// provider vouched lately. Where a second factor is required, that one comes first.
    func mayAddWayIn(_ record: SessionRecord, _ factors: RequestFactors) async throws -> Bool {
        let session = record.session
        guard !session.awaitsFactor, try await missing(record, factors, asksFirst: true) == nil else { return false }
        guard session.proof.by != .password else { return true }
        return try await !reauthentication.store.hasPassword(accountID: record.accountID)
    }

    /// Keeps a form for ten minutes.
    func hold(_ form: Held, by record: SessionRecord) async throws -> Token {
        let token = Token(from: random)
        let sealed = try key.seal(CompactJSON.encode(form), for: .heldForm(sessionID: record.sessionID.rawValue))
        try await store.hold(
            HeldForm(
                digest: token.digest, session: record.presented, sealed: sealed,
                expiresAt: now.addingTimeInterval(HeldForm.lifetime)))
        return token
    }

    /// The form that was kept, which is then gone. Returns nil if it is unknown, of another session
    /// or too old.
    func take(_ token: Token, of session: Session) async throws -> Held? {
        let sealed = try await store.takeHeldForm(token.digest, sessionID: session.id, now: now)
        guard let sealed, let plain = try? key.open(sealed, for: .heldForm(sessionID: session.id.rawValue)) else {
            return nil
        }
        return try JSONDecoder().decode(Held.self, from: Data(plain))
    }

    /// Renews the session once the password was right. Returns nil for an account without one:
    /// nothing was proved now, and the session is as fresh as it was. Throws `Refusals` and
    /// `Refusal.limited`.
    func prove(
        password typed: String, of record: SessionRecord, for held: Token?, visitor: Visitor
    ) async throws -> RenewedSession? {
        let proved = try await reauthentication.check(typed, of: record, visitor: visitor)
        return proved == nil ? nil : try await sessions.confirm(record, by: .password, for: held, visitor: visitor)
    }

    /// Notes the proof and renews the session. Throws what is missing of the attempt,
    /// `Refusal.secondCodeWrong`, `.passkeyRefused` and `.limited`: guessing here counts, and is
    /// told, like guessing at sign-in.
    func prove(
        _ attempt: FactorAttempt, of record: SessionRecord, _ factors: RequestFactors, for held: Token? = nil,
        visitor: Visitor
    ) async throws -> RenewedSession {
        if let refusal = attempt.missing { throw refusal }
        // A stolen session comes with a browser that is known, from any number of networks.
        let session = TokenDigest(bytes: [UInt8](SHA256.hash(data: Array(record.sessionID.rawValue.utf8))))
        let subject = try await reauthentication.browsers.subject(visitor, email: record.account.email, flow: session)
        try await reauthentication.limits.take(.secondFactor, subject.trying(attempt), now: now)
        let factors = try await factors.read(store)
        let use = try await kinds.use(attempt, of: factors, accountID: record.accountID, visitor: visitor)
        guard let use else { return try await fail(attempt, record, visitor) }
        var (token, renewal) = sessions.renew(record, secondFactor: use.factor, visitor: visitor)
        renewal.heldForm = held?.digest
        let told = try kinds.news(of: use, on: factors, record.account, visitor: visitor)
        let events = [audit.event(.proved, accountID: record.accountID, visitor: visitor)] + told.events
        do {
            try await store.prove(use, renewal, accountID: record.accountID, events: events, mails: told.mails)
        } catch is UsedBefore {
            return try await fail(attempt, record, visitor)
        }
        if !told.mails.isEmpty { kinds.mailer.wake() }
        events.forEach { audit.log($0, visitor: visitor) }
        return RenewedSession(session: record.session.renewed(renewal), token: token)
    }

    private func fail(
        _ attempt: FactorAttempt, _ record: SessionRecord, _ visitor: Visitor
    ) async throws -> RenewedSession {
        try await failures.note(
            .proofFailed, of: record.account, telling: .proofRefused, within: .proofMail, visitor: visitor)
        throw attempt.refusal
    }
}

extension MailContent.Kind {
    /// Tells of every fifth wrong second factor in a row, if it was given in a session.
    static let proofRefused = Self("proof-refused")
}
