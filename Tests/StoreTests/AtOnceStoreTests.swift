import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// What happens to an account at one moment, on one node or several, ends as if one thing had come
/// after the other.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct AtOnceStoreTests {
    /// An account that everything happens to at once; several, as not every time does one thing
    /// come between the parts of another.
    private struct Round {
        let number: UInt8
        var id: AccountID { AccountID(rawValue: "a\(number)") }
        var email: EmailAddress { EmailAddress(stored: "a\(number)@example.com", key: "a\(number)@example.com") }
        /// Of the session the account begins with.
        var token: UInt8 { number * 10 }
        /// Of sessions that logins begin.
        var logins: ClosedRange<UInt8> { token + 1...token + 4 }
        /// Of passkeys.
        var credentials: ClosedRange<UInt8> { token...token + 2 }

        static let all = (0..<20).map { Round(number: $0) }
    }

    private func login(_ token: UInt8, _ round: Round, _ store: any Store) async throws {
        let success = StoredLogin(
            session: Make.session(token, account: round.id), failuresKey: Make.key(1), returned: [],
            proved: PasswordHash(phc: "phc"), rehash: nil, events: [Make.event(.login, account: round.id)])
        // A login that came second has checked a password that was replaced, and is refused.
        do { try await store.loginSucceeded(success) } catch is Superseded {}
    }

    private func atOnce(_ works: [@Sendable () async throws -> Void]) async throws {
        try await withThrowingTaskGroup { group in
            for work in works { group.addTask { try await work() } }
            try await group.waitForAll()
        }
    }

    private func loggingIn(
        _ round: Round, _ store: any Store, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let logins = round.logins.map { token in { @Sendable in try await login(token, round, store) } }
        try await atOnce([logins[0], logins[1], work, logins[2], logins[3]])
    }

    private func living(_ tokens: ClosedRange<UInt8>, _ store: any Store) async throws -> Int {
        var count = 0
        for token in tokens where try await store.session(Make.digest(token)) != nil { count += 1 }
        return count
    }

    @Test(arguments: Engine.allCases)
    func `of sessions that end each other one stays`(engine: Engine) async throws {
        let store = try await engine.open()
        let round = Round.all[1]
        #expect(try await store.addAccount(Make.account(round.id, email: round.email, token: round.token)))
        let tokens: ClosedRange<UInt8> = 101...124
        for token in tokens { try await login(token, round, store) }
        try await atOnce(
            tokens.map { token in
                {
                    let session = Make.presented(token, account: round.id)
                    let renewal = SessionRenewal(
                        sessionID: session.id, replaces: session.token, tokenDigest: session.token,
                        proof: Session.Proof(at: Make.start))
                    let event = Make.event(.sessionEnded, account: round.id)
                    do {
                        _ = try await store.endOtherSessions(than: session, renewal: renewal, event: event)
                    } catch is Superseded {}
                }
            })
        #expect(try await living(tokens, store) == 1)
    }

    @Test(arguments: Engine.allCases)
    func `no login with the old password outlives a change of the password`(engine: Engine) async throws {
        let store = try await engine.open()
        for round in Round.all {
            #expect(try await store.addAccount(Make.account(round.id, email: round.email, token: round.token)))
            try await loggingIn(round, store) {
                try await store.changePassword(
                    PasswordHash(phc: "new"), from: PasswordHash(phc: "phc"), accountID: round.id,
                    renewal: Make.renewal(from: round.token, to: round.token + 9, nil), ways: .nothing,
                    notice: Make.mail(), event: Make.event(.passwordChanged, account: round.id))
            }
            #expect(try await living(round.logins, store) == 0)
            #expect(try await store.session(Make.digest(round.token + 9)) != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `no login outlives that its account is disabled`(engine: Engine) async throws {
        let store = try await engine.open()
        for round in Round.all {
            #expect(try await store.addAccount(Make.account(round.id, email: round.email, token: round.token)))
            try await loggingIn(round, store) {
                _ = try await store.disableAccount(id: round.id, event: Make.event(.accountDisabled, account: round.id))
            }
            _ = try await store.enableAccount(id: round.id, event: Make.event(.accountEnabled, account: round.id))
            #expect(try await living(round.logins, store) == 0)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of all ways into an account that are removed one stays`(engine: Engine) async throws {
        let store = try await engine.open()
        for round in Round.all {
            try await addAccountWithoutPassword(round, store)
            let removals = round.credentials.map { credential in
                { @Sendable () async throws -> Void in
                    _ = try await store.removePasskey(
                        id: "p\(credential)", inUse: Make.inUse("example"), Make.change(of: round.id))
                }
            }
            try await atOnce(
                removals + [
                    {
                        _ = try await store.unlink(
                            id: "i\(round.number)", by: Make.presented(round.token, account: round.id),
                            inUse: Make.inUse("example"), Make.change(.identityUnlinked, of: round.id))
                    }
                ])
            let passkeys = try await store.factors(accountID: round.id).passkeys
            let identities = try await store.identities(accountID: round.id)
            #expect(passkeys.count + identities.count == 1)
        }
    }

    /// An identity and passkeys, and no password.
    private func addAccountWithoutPassword(_ round: Round, _ store: any Store) async throws {
        let made = Make.account(round.id, email: round.email, token: round.token)
        let identity = Identity(
            id: "i\(round.number)", accountID: round.id, provider: "example", issuer: "https://i",
            subject: "\(round.number)", email: nil, createdAt: Make.start)
        let signup = try await store.addAccount(
            NewAccount(
                account: made.account, passwordHash: nil, consent: made.consent, session: made.session,
                events: made.events),
            identity: LinkedIdentity(identity: identity, refreshToken: nil), once: nil)
        #expect(signup == .created)
        for credential in round.credentials {
            let passkey = Make.passkey("p\(credential)", of: round.id, credential: credential)
            #expect(
                try await store.addPasskey(
                    passkey, userHandle: Array(repeating: round.number, count: 64), once: [Make.once(credential)],
                    Make.change(of: round.id)))
        }
    }

    @Test(arguments: Engine.allCases)
    func `an address becomes one account's, by whatever way several want it`(engine: Engine) async throws {
        let store = try await engine.open()
        for round in Round.all {
            let accounts = (0..<4 as Range<UInt8>).map { number in
                Make.account("\(round.id.rawValue).\(number)", email: round.email, token: round.token + number)
            }
            try await store.addPendingSignup(
                Make.pending(flow: round.number, email: round.email), mails: Make.mails())
            try await atOnce([
                { _ = try await store.addAccount(accounts[0]) },
                { _ = try await store.addAccount(accounts[1]) },
                {
                    _ = try await store.completeSignup(
                        flow: Make.digest(round.number), attempt: Make.attempt(9), new: accounts[2], now: Make.start)
                },
                {
                    _ = try await store.addInvitedAccount(
                        accounts[3].account, reset: invitation(round, accounts[3].account.id))
                },
            ])
            #expect(try await store.account(.address(round.email)) != nil)
        }
        #expect(try await store.accounts(in: nil, after: nil, limit: 100).count == Round.all.count)
    }

    private func invitation(_ round: Round, _ accountID: AccountID) -> MailedReset {
        let code = Make.pendingCode(flow: round.number, email: round.email)
        return MailedReset(
            pending: PendingReset(code: code, locale: "en", isMailed: true), mail: Make.mail(),
            event: Make.event(.accountInvited, account: accountID))
    }
}
