import Foundation
import TestSupport

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// Plain values for the contract; every argument that matters to a test is named there.
enum Make {
    static let start = Date(timeIntervalSince1970: 1_795_000_000)

    static func digest(_ number: UInt8) -> TokenDigest {
        TokenDigest(bytes: Array(repeating: number, count: 32))
    }

    /// What a counter is found under.
    static func key(_ number: UInt8) -> [UInt8] {
        Array(repeating: number, count: 16)
    }

    static func code(_ number: UInt8) -> CodeDigest {
        CodeDigest(bytes: Array(repeating: number, count: 32))
    }

    static func attempt(_ codes: UInt8..., failuresKey: [UInt8] = key(1), limit: ShortCodeLimit? = nil) -> CodeAttempt {
        CodeAttempt(
            digests: codes.map(code), failuresKey: failuresKey, failure: event(.codeFailed, account: nil), limit: limit
        )
    }

    static func consent(_ id: String = UUID().uuidString, version: String = "1") -> Consent {
        Consent(
            id: id, version: version, textDigest: Array(repeating: 1, count: 32), acceptedAt: start, locale: "en",
            address: IPAddress("192.0.2.1")
        )
    }

    static func pending(
        flow: UInt8, email: EmailAddress = "ada@example.com", code: UInt8 = 9, codeLives: TimeInterval = 600
    ) -> PendingSignup {
        PendingSignup(
            code: pendingCode(flow: flow, email: email, code: code, codeLives: codeLives), displayName: "Ada",
            passwordHash: PasswordHash(phc: "phc"), consent: consent(), locale: "en", returnTo: "/x"
        )
    }

    static func pendingCode(
        flow: UInt8, email: EmailAddress = "ada@example.com", code: UInt8 = 9, codeLives: TimeInterval = 600,
        lives: TimeInterval = 3600
    ) -> PendingCode {
        PendingCode(
            flow: digest(flow), email: email, digest: Make.code(code),
            codeExpiresAt: start.addingTimeInterval(codeLives), expiresAt: start.addingTimeInterval(lives)
        )
    }

    static func renewal(
        flow: UInt8, code: UInt8, _ mail: CodeMail, earlier: String = "", until: Date = start + 600
    ) -> CodeRenewal {
        CodeRenewal(
            flow: digest(flow), digest: Make.code(code), codeExpiresAt: until, mail: mail, earlierMail: earlier)
    }

    static func mail(_ id: String = UUID().uuidString, at: Date = start) -> QueuedMail {
        QueuedMail(id: id, sealed: Array(id.utf8), createdAt: at, attempts: 0)
    }

    static func mails() -> AddressMails {
        AddressMails(
            whenFree: mail("free \(UUID())"), whenTaken: mail("taken \(UUID())"),
            whenDisabled: mail("disabled \(UUID())"))
    }

    static func session(
        _ token: UInt8, account: AccountID, at: Date = start, idle: Duration = .seconds(3600),
        lives: TimeInterval = 86_400, provedBy: FirstFactor = .password, replaces: TokenDigest? = nil,
        awaitsTerms: Bool = false
    ) -> NewSession {
        NewSession(
            session: Session(
                id: "session-\(token)", accountID: account,
                lifetime: Session.Lifetime(
                    createdAt: at, lastSeenAt: at, idle: idle, expiresAt: at.addingTimeInterval(lives),
                    remembered: false),
                proof: Session.Proof(at: at, by: provedBy), awaitsTerms: awaitsTerms, userAgent: "agent",
                address: IPAddress("192.0.2.1")
            ),
            tokenDigest: digest(token), replaces: replaces
        )
    }

    /// The session that `session` makes, with its first token.
    static func presented(_ token: UInt8 = 1, account: AccountID = "a") -> PresentedSession {
        PresentedSession(id: "session-\(token)", accountID: account, token: digest(token))
    }

    static func node(_ id: String = "node") -> Node {
        Node(id: id, name: "web-\(id):8080", version: "1.0.0", startedAt: start)
    }

    static func event(_ kind: SecurityEvent.Kind, account: AccountID?, at: Date = start) -> SecurityEvent {
        SecurityEvent(
            id: UUID().uuidString, kind: kind, accountID: account, at: at, address: IPAddress("192.0.2.1"),
            userAgent: "agent"
        )
    }

    /// Judged with the name of `account`.
    static let newHash = JudgedHash(hash: PasswordHash(phc: "new"), name: "Ada")

    static func account(
        _ id: AccountID, email: EmailAddress = "ada@example.com", token: UInt8 = 1, hash: String = "phc"
    ) -> NewAccount {
        NewAccount(
            account: Account(
                id: id, email: email, displayName: "Ada", createdAt: start, verifiedAt: start, locale: "en",
                termsVersion: "1"
            ),
            passwordHash: PasswordHash(phc: hash), consent: consent(),
            session: session(token, account: id), events: [event(.signup, account: id)]
        )
    }
}

extension SignupStore {
    func addPendingSignup(_ pending: PendingSignup, mails: AddressMails) async throws {
        try await addPendingSignup(pending, replaces: nil, mails: mails)
    }
}

extension OutboxStore {
    func takeDueMails(
        limit: Int, among choice: MailChoice = .any, by node: String = "node", now: Date, leaseUntil: Date
    ) async throws -> [QueuedMail] {
        var taken: [QueuedMail] = []
        let lease = MailLease(node: node, until: leaseUntil)
        while taken.count < limit, let mail = try await takeDueMail(among: choice, now: now, lease: lease) {
            taken.append(mail)
        }
        return taken
    }

    func mailFailed(id: String, reason: String, retryAt: Date?) async throws {
        try await mailFailed(id: id, node: "node", reason: reason, retryAt: retryAt)
    }
}
