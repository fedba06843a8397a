import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// Somebody holds a copy of a session's token and writes with it, while its owner changes the
/// password.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct StolenTokenTests {
    /// What a session may write that is no renewal itself.
    enum Write: CaseIterable {
        case ticket, heldForm, identity, unlinking, emailChange, terms, name, locale, passkeyName, export, sessionEnd,
            otherSessionsEnd, deletion

        private static var event: SecurityEvent { Make.event(.proved, account: "a") }

        /// By session 1 and that token of it.
        func run(
            _ number: Int, token: UInt8 = 1, lacking absent: FactorPresence = [], on store: any Store
        ) async throws {
            let session = PresentedSession(
                id: "session-1", accountID: "a", token: Make.digest(token), absent: absent)
            let digest = TokenDigest(
                bytes: Array(repeating: 0, count: 28) + withUnsafeBytes(of: UInt32(number), Array.init))
            switch self {
            case .ticket: try await store.addTicket(try Self.ticket(digest, session))
            case .heldForm:
                try await store.hold(
                    HeldForm(digest: digest, session: session, sealed: [1], expiresAt: Make.start + 600))
            case .identity:
                _ = try await store.link(
                    Self.identity("i\(number)"), by: session, once: nil, Make.change())
            case .unlinking:
                _ = try await store.unlink(
                    id: "i0", by: session, inUse: Make.inUse("example"), Make.change())
            case .emailChange:
                let code = PendingCode(
                    flow: digest, email: "thief@x.example", digest: Make.code(9), codeExpiresAt: Make.start + 600,
                    expiresAt: Make.start + 3600)
                try await store.addPendingEmailChange(
                    PendingEmailChange(code: code, accountID: "a"), by: session, mail: Make.mail(), event: Self.event)
            case .terms: try await store.accept(Make.consent(version: "2"), by: session, event: Self.event)
            case .name: try await store.rename(to: "T", by: session, event: Self.event)
            case .locale: try await store.setLocale("xx", by: session, event: Self.event)
            case .passkeyName: _ = try await store.renamePasskey(id: "p", by: session, name: "T")
            case .export: try await store.noteExport(by: session, event: Self.event)
            case .sessionEnd:
                _ = try await store.endSession(id: "session-2", accountID: "a", by: session, event: Self.event)
            case .otherSessionsEnd:
                // To the same token, so that it ends no other test of it.
                let renewal = SessionRenewal(
                    sessionID: session.id, replaces: session.token, tokenDigest: session.token,
                    proof: Session.Proof(at: Make.start))
                _ = try await store.endOtherSessions(than: session, renewal: renewal, event: Self.event)
            case .deletion:
                _ = try await store.erase(
                    AccountErasure(
                        accountID: "a", session: session, emailKey: "ada@example.com", failuresKey: Make.key(1),
                        mailboxes: ["ada@example.com": .init(recipients: [], farewell: Make.mail())],
                        event: Make.event(.accountDeleted, account: nil)))
            }
        }

        static func identity(_ id: String) -> LinkedIdentity {
            LinkedIdentity(
                identity: Identity(
                    id: id, accountID: "a", provider: "example", issuer: "https://i", subject: id, email: nil,
                    createdAt: Make.start), refreshToken: nil)
        }

        private static func ticket(_ digest: TokenDigest, _ session: PresentedSession) throws -> NewTicket {
            let origin = try #require(Origin("https://notes.example"))
            let target = try #require(RequestTarget("/"))
            return NewTicket(
                digest: digest, session: session,
                wish: HandOverWish(origin: origin, target: target, browser: Make.digest(50), isRetry: false),
                expiresAt: Make.start + 60)
        }
    }

    private func fill(_ store: any Store) async throws {
        _ = try await store.addAccount(Make.account("a", token: 1))
        try await store.loginSucceeded(
            StoredLogin(
                session: Make.session(2, account: "a"), failuresKey: nil, returned: [], proved: nil, rehash: nil,
                events: []))
        let isLinked = try await store.link(
            Write.identity("i0"), by: Make.presented(), once: nil, Make.change(.identityLinked))
        #expect(isLinked)
        let isAdded = try await store.addPasskey(
            Make.passkey("p"), userHandle: Array(repeating: 1, count: 64), once: [], Make.change())
        #expect(isAdded)
    }

    @Test(arguments: Engine.allCases, Write.allCases)
    func `with the token it is written, with the one before it is not`(engine: Engine, write: Write) async throws {
        let store = try await engine.open()
        try await fill(store)
        try await store.renewSession(
            Make.renewal(from: 1, to: 8, nil), event: Make.event(.proved, account: "a"))
        await #expect(throws: Superseded.self) { try await write.run(1, on: store) }
        try await write.run(2, token: 8, on: store)
    }

    /// Nodes share the store; on SQLite they are one.
    private func nodes(_ engine: Engine) async throws -> [any Store] {
        guard engine == .postgres else { return [try await engine.open()] }
        let database = try await PostgresDatabase.migrated()
        return [try database.store(), try database.store()]
    }

    /// A store gives up after seconds, which are over at once where the machine stands still.
    private func patiently<Value>(_ work: () async throws -> Value) async throws -> Value {
        while true {
            do { return try await work() } catch is StoreUnavailable {}
        }
    }

    /// Writes with the old token on every node until it is refused; returns the numbers that were
    /// written.
    private func loop(_ write: Write, on nodes: [any Store]) async throws -> [Int] {
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for worker in 0..<4 {
                let node = nodes[worker % nodes.count]
                group.addTask {
                    var written: [Int] = []
                    // Somebody has few accounts at providers.
                    while write != .identity || written.count < 10 {
                        let number = worker * 1_000_000 + written.count + 1
                        do {
                            try await patiently { try await write.run(number, on: node) }
                        } catch is Superseded { return written }
                        written.append(number)
                    }
                    return written
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// As `PasswordChange` does: what came meanwhile is reviewed once more.
    private func changePassword(_ store: any Store) async throws {
        while true {
            let ids = try await store.linkedIdentities(emailKey: "ada@example.com").map(\.identity.id)
            do {
                return try await patiently {
                    try await store.changePassword(
                        PasswordHash(phc: "new"), from: PasswordHash(phc: "phc"), accountID: "a",
                        renewal: Make.renewal(from: 1, to: 8, nil),
                        ways: ReviewedWays(kept: ["p"], removed: ids, events: []), notice: Make.mail(),
                        event: Make.event(.passwordChanged, account: "a"))
                }
            } catch is Superseded {
                await Task.yield()
            }
        }
    }

    @Test(arguments: Engine.allCases, [Write.ticket, .heldForm, .identity, .emailChange])
    func `what it adds while the password is changed opens nothing`(engine: Engine, write: Write) async throws {
        for _ in 0..<5 {
            let nodes = try await nodes(engine)
            let store = nodes[0]
            try await fill(store)
            async let written = loop(write, on: nodes)
            try await changePassword(nodes[nodes.count - 1])
            for number in try await written {
                #expect(try await !isThere(write, number, store), "\(number)")
            }
        }
    }

    private func isThere(_ write: Write, _ number: Int, _ store: any Store) async throws -> Bool {
        let digest = TokenDigest(
            bytes: Array(repeating: 0, count: 28) + withUnsafeBytes(of: UInt32(number), Array.init))
        switch write {
        case .ticket:
            let origin = try #require(Origin("https://notes.example"))
            let redeemed = try await store.redeem(
                TicketRedemption(
                    digest: digest, origin: origin, browser: Make.digest(50), token: Make.digest(70),
                    requiresFactor: true, now: Make.start + 1))
            return redeemed.map { $0.outcome != .spent } ?? false
        case .heldForm:
            return try await store.takeHeldForm(digest, sessionID: "session-1", now: Make.start) != nil
        case .identity: return try await store.identities(accountID: "a").contains { $0.id == "i\(number)" }
        case .emailChange: return try await store.pendingEmailChange(flow: digest, now: Make.start) != nil
        default: return false
        }
    }
}
