import Foundation
import GRDB
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// Another code for a flow, whatever the flow is for.
@Suite(.closesStores)
struct CodeRenewalStoreTests {
    /// One flow of each kind, whose code is 9; the numbers name the flows.
    private func house(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a"))
        try await store.addPendingSignup(Make.pending(flow: 11, email: "new@example.com"), mails: Make.mails())
        let reset = PendingReset(code: Make.pendingCode(flow: 12), locale: "en")
        try await store.addPendingReset(reset, replaces: nil, mail: Make.mail())
        let change = PendingEmailChange(code: Make.pendingCode(flow: 13, email: "x@example.com"), accountID: "a")
        try await store.addPendingEmailChange(
            change, by: Make.presented(), mail: Make.mail(), event: Make.event(.emailChangeRequested, account: "a"))
        return store
    }

    private func codes(_ store: any Store) async throws -> [CodeDigest?] {
        [
            try await store.pendingSignup(flow: Make.digest(11), now: Make.start)?.code.digest,
            try await store.pendingReset(flow: Make.digest(12), now: Make.start)?.code.digest,
            try await store.pendingEmailChange(flow: Make.digest(13), now: Make.start)?.code.digest,
        ]
    }

    @Test(arguments: Engine.allCases)
    func `a new code takes the place of the old one in its own flow only`(engine: Engine) async throws {
        let store = try await house(engine)
        let flows: [(CodeFlowKind, UInt8, CodeMail)] = [
            (.signup, 11, .either(Make.mails())), (.reset, 12, .toOwner(Make.mail())),
            (.emailChange, 13, .certain(Make.mail())),
        ]
        for (index, (kind, flow, mail)) in flows.enumerated() {
            let before = try await codes(store)
            let renewal = Make.renewal(flow: flow, code: 7, mail)
            #expect(try await store.renewCode(renewal, of: kind, now: Make.start))
            let after = try await codes(store)
            #expect(after[index] == Make.code(7))
            for other in flows.indices where other != index { #expect(after[other] == before[other]) }
        }
        let lost = Make.renewal(flow: 99, code: 7, .certain(Make.mail("lost")))
        #expect(try await !store.renewCode(lost, of: .emailChange, now: Make.start))
        let late = Make.renewal(flow: 13, code: 5, .certain(Make.mail("late")))
        #expect(try await !store.renewCode(late, of: .emailChange, now: Make.start + 3600))
        let mails = try await store.outboxEntries(to: nil, after: nil, onlyFailed: false, limit: 99).map(\.mail.id)
        #expect(!mails.contains("lost") && !mails.contains("late"))
    }

    @Test(arguments: Engine.allCases)
    func `a flow lives as long as a code that is sent again at its end`(engine: Engine) async throws {
        let store = try await house(engine)
        let (last, until) = (Make.start + 3599, Make.start + 4199)
        let renewal = Make.renewal(flow: 11, code: 7, .either(Make.mails()), until: until)
        #expect(try await store.renewCode(renewal, of: .signup, now: last))
        #expect(try await store.pendingSignup(flow: Make.digest(11), now: until - 1)?.code.digest == Make.code(7))
        #expect(try await store.pendingSignup(flow: Make.digest(11), now: until) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `the mail with a new code takes the place of the one before, if that waits`(engine: Engine) async throws {
        let store = try await house(engine)
        let mails = AddressMails(
            whenFree: Make.mail("first"), whenTaken: Make.mail("taken"), whenDisabled: Make.mail("locked"))
        try await store.addPendingSignup(Make.pending(flow: 15, email: "b@example.com"), mails: mails)
        for (earlier, next) in [("first", "second"), ("sent", "third")] {
            let renewal = Make.renewal(flow: 15, code: 7, .certain(Make.mail(next)), earlier: earlier)
            #expect(try await store.renewCode(renewal, of: .signup, now: Make.start))
        }
        let waiting = try await store.outboxEntries(to: nil, after: nil, onlyFailed: false, limit: 99).map(\.mail.id)
        #expect(Set(waiting).intersection(["first", "second", "third"]) == ["second", "third"])
    }

    @Test(arguments: Engine.allCases)
    func `a flow that takes the place of another one ends that one with its mail, and no other`(engine: Engine)
        async throws
    {
        let store = try await Ways(engine.open(), isVerified: true).store
        let undo = try #require(try await store.emailUndo(Make.digest(60), now: Make.start))
        func mail(_ code: UInt8) -> QueuedMail { Make.mail(Make.code(code).mailID) }
        for (flow, replaced) in [(101, nil), (102, nil), (103, 101)] as [(UInt8, UInt8?)] {
            let (replaces, codes) = (replaced.map(Make.digest), [flow, flow + 10, flow + 20])
            let mails = AddressMails(whenFree: mail(codes[0]), whenTaken: mail(codes[0]), whenDisabled: mail(codes[0]))
            try await store.addPendingSignup(
                Make.pending(flow: flow, code: codes[0]), replaces: replaces, mails: mails)
            let reset = Make.pendingCode(flow: flow, email: "fourth@x.example", code: codes[1])
            try await store.addPendingReset(
                PendingReset(code: reset, locale: "en"), replaces: replaces, mail: mail(codes[1]))
            let back = Make.pendingCode(flow: flow, email: undo.email, code: codes[2])
            try await store.addPendingEmailUndo(
                PendingEmailUndo(code: back, undo: undo), replaces: replaces, mail: mail(codes[2]))
        }
        for (flow, isLeft) in [(101, false), (102, true), (103, true)] as [(UInt8, Bool)] {
            #expect(try await (store.pendingSignup(flow: Make.digest(flow), now: Make.start) != nil) == isLeft)
            #expect(try await (store.pendingReset(flow: Make.digest(flow), now: Make.start) != nil) == isLeft)
            #expect(try await (store.pendingEmailUndo(flow: Make.digest(flow), now: Make.start) != nil) == isLeft)
        }
        let waiting = try await store.outboxEntries(to: nil, after: nil, onlyFailed: false, limit: 99).map(\.mail.id)
        let codes = [102, 103, 112, 113, 122, 123] as [UInt8]
        #expect(codes.allSatisfy { waiting.contains(mail($0).id) })
        #expect([101, 111, 121].allSatisfy { !waiting.contains(mail($0).id) })
    }

    /// To delete it would take longer, and tell that there is no account.
    @Test func `a mail that nobody gets stays when another code is asked for`() async throws {
        let path = try Engine.temporaryFolder() + "/vestibule.sqlite"
        let store = try SQLiteStore(path: path)
        _ = try store.migrate()
        let reset = PendingReset(code: Make.pendingCode(flow: 12, email: "nobody@example.com"), locale: "en")
        try await store.addPendingReset(reset, replaces: nil, mail: Make.mail("first"))
        let renewal = Make.renewal(flow: 12, code: 7, .toOwner(Make.mail("second")), earlier: "first")
        #expect(try await store.renewCode(renewal, of: .reset, now: Make.start))
        let ids = try await DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "SELECT id FROM outbox") }
        #expect(Set(ids) == ["first", "second"])
    }

    @Test func `the id of such a mail is no option on the command line`() {
        for first: UInt8 in [0xF8, 0xFF] {
            let id = CodeDigest(bytes: [first] + Array(repeating: 1, count: 31)).mailID
            #expect(id.count == 22 && id.utf8.first != UInt8(ascii: "-"))
        }
    }

    @Test(arguments: Engine.allCases)
    func `a new code ends the proof that the one before was right`(engine: Engine) async throws {
        let store = try await house(engine)
        let isProved = try await store.proveReset(
            flow: Make.digest(12), attempt: Make.attempt(9), next: Make.digest(14), until: Make.start + 600,
            now: Make.start)
        #expect(isProved)
        #expect(try await store.pendingReset(flow: Make.digest(14), now: Make.start)?.isProved == true)
        let renewal = Make.renewal(flow: 14, code: 7, .toOwner(Make.mail()))
        #expect(try await store.renewCode(renewal, of: .reset, now: Make.start))
        #expect(try await store.pendingReset(flow: Make.digest(14), now: Make.start)?.isProved == false)
        let redemption = PasswordResetRedemption(
            passwordHash: Make.newHash, failuresKey: Make.key(1), notice: Make.mail(),
            event: Make.event(.passwordReset, account: nil))
        let byProof = try await store.redeemReset(
            flow: Make.digest(14), attempt: nil, redemption: redemption, now: Make.start)
        #expect(byProof == nil)
        let byCode = try await store.redeemReset(
            flow: Make.digest(14), attempt: Make.attempt(7), redemption: redemption, now: Make.start)
        #expect(byCode == "a")
    }

    @Test(arguments: Engine.allCases)
    func `after its time no password is chosen by a code that was right`(engine: Engine) async throws {
        let store = try await house(engine)
        let end = Make.start + 600
        let isProved = try await store.proveReset(
            flow: Make.digest(12), attempt: Make.attempt(9), next: Make.digest(14), until: end, now: Make.start)
        #expect(isProved)
        let redemption = PasswordResetRedemption(
            passwordHash: Make.newHash, failuresKey: Make.key(1), notice: Make.mail(),
            event: Make.event(.passwordReset, account: nil))
        for (now, account) in [(end, nil), (end - 1, "a")] as [(Date, AccountID?)] {
            let chosen = try await store.redeemReset(
                flow: Make.digest(14), attempt: nil, redemption: redemption, now: now)
            #expect(chosen == account)
        }
    }
}
