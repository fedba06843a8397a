import Crypto
import Essentials
import Foundation

/// A second factor once more before what decides who opens the account (ASVS 7.5.1), for accounts
/// that have one. A form that came too early is kept, and goes on after the proof.
struct StepUp: Sendable {
    let store: any FactorStore & HeldFormStore & PendingLoginStore
    let verifiers: [any FactorVerifier]
    let reauthentication: Reauthentication
    let sessions: Sessions
    let limits: RateLimits
    let browsers: KnownBrowsers
    let news: FactorNews
    let audit: Audit
    let random: Randomness
    let key: SecretKey
    let now: @Sendable () -> Date

    /// A form, and where it was sent. Passwords are left out: they would rest in the database, its
    /// log and its backups.
    struct Held: Codable, Sendable {
        let path: String
        let fields: [String: String]
        /// Whether passwords were left out, so that the form asks for them again.
        let lacksSecrets: Bool
        private static let secrets: Set = ["current_password", "password", "password_confirmation"]

        init(path: String, fields: [String: String]) {
            self.path = path
            self.fields = fields.filter { !Self.secrets.contains($0.key) }
            lacksSecrets = self.fields.count < fields.count
        }
    }

    /// A session after the proof, and its new token.
    struct Proved: Sendable {
        let token: Token
        let session: Session
    }

    /// What must be proved first.
    enum Missing: Sendable {
        case secondFactor(AccountFactors)
        /// The password, or a provider's word for an account without one.
        case firstFactor
    }

    /// Returns nil if nothing must be. The first factor is asked for by itself only where
    /// `asksFirst`: elsewhere the form carries the password.
    func missing(_ record: SessionRecord, asksFirst: Bool) async throws -> Missing? {
        if let factors = try await reauthentication.missingFactors(record) { return .secondFactor(factors) }
        return asksFirst && !reauthentication.isFresh(record.session) ? .firstFactor : nil
    }

    /// Keeps a form for ten minutes.
    func hold(_ form: Held, by record: SessionRecord) async throws -> Token {
        let token = Token(from: random)
        let sealed = try key.seal(CompactJSON.encode(form), for: .heldForm(sessionID: record.sessionID.rawValue))
        try await store.hold(
            HeldForm(
                digest: token.digest, session: record.presented, sealed: sealed,
                expiresAt: now().addingTimeInterval(HeldForm.lifetime)))
        return token
    }

    /// The form that was kept, which is then gone. Returns nil if it is unknown, of another session
    /// or too old.
    func take(_ token: Token, of session: Session) async throws -> Held? {
        let sealed = try await store.takeHeldForm(token.digest, sessionID: session.id, now: now())
        guard let sealed, let plain = try? key.open(sealed, for: .heldForm(sessionID: session.id.rawValue)) else {
            return nil
        }
        return try JSONDecoder().decode(Held.self, from: Data(plain))
    }

    /// Renews the session once the password was right. Throws `Refusals` and `Refusal.limited`.
    func prove(password typed: String, of record: SessionRecord, visitor: Visitor) async throws -> Proved {
        _ = try await reauthentication.check(typed, of: record, visitor: visitor)
        let (token, renewal) = sessions.renew(record.session, provedBy: .password, visitor: visitor)
        let event = audit.event(.proved, accountID: record.accountID, visitor: visitor)
        try await sessions.store.renewSession(renewal, event: event)
        audit.log(event, visitor: visitor)
        return Proved(token: token, session: record.session.renewed(renewal))
    }

    /// Notes the proof and renews the session. Throws `Refusal.secondCodeMissing`,
    /// `.secondCodeWrong`, `.passkeyRefused` and `.limited`: guessing here counts, and is told,
    /// like guessing at sign-in.
    func prove(_ attempt: FactorAttempt, of record: SessionRecord, visitor: Visitor) async throws -> Proved {
        if case .code(let typed, _) = attempt, typed.trimmingSpaces.isEmpty { throw Refusal.secondCodeMissing }
        // A stolen session comes with a browser that is known, from any number of networks.
        let session = TokenDigest(bytes: [UInt8](SHA256.hash(data: Array(record.sessionID.rawValue.utf8))))
        let subject = try await browsers.subject(visitor, email: record.account.email, flow: session)
        try await limits.take(.secondFactor, subject.trying(attempt), now: now())
        let factors = try await store.factors(accountID: record.accountID)
        let use = try await verifiers.use(
            attempt, of: factors, accountID: record.accountID, visitor: visitor)
        guard let use else { return try await fail(attempt, record, visitor) }
        let (token, renewal) = sessions.renew(record.session, secondFactor: use.factor, visitor: visitor)
        let told = try news.of(use, on: factors, record.account, visitor: visitor)
        let events = [audit.event(.proved, accountID: record.accountID, visitor: visitor)] + told.events
        do {
            try await store.prove(use, renewal, accountID: record.accountID, events: events, mails: told.mails)
        } catch is UsedBefore {
            return try await fail(attempt, record, visitor)
        }
        if !told.mails.isEmpty { news.mailer.wake() }
        events.forEach { audit.log($0, visitor: visitor) }
        return Proved(token: token, session: record.session.renewed(renewal))
    }

    private func fail(
        _ attempt: FactorAttempt, _ record: SessionRecord, _ visitor: Visitor
    ) async throws -> Proved {
        let email = record.account.email
        let event = audit.event(.proofFailed, accountID: record.accountID, visitor: visitor)
        let login = try await reauthentication.store.loginRecord(
            emailKey: email.key, failuresKey: key.failuresKey(email))
        let isTold = (login.failuresInARow + 1).isMultiple(of: PendingLogin.attemptsAtMost)
        try await store.secondStepFailed(
            failuresKey: key.failuresKey(email), event: event,
            notice: isTold ? news.mailer.mail(.proofRefused, to: record.account) : nil)
        if isTold { news.mailer.wake() }
        audit.log(event, visitor: visitor)
        throw attempt.refusal
    }
}

extension MailContent.Kind {
    /// Every fifth failure in a row that is a wrong proof.
    static let proofRefused = Self("proof-refused")
}
