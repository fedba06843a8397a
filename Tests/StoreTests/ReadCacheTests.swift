import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// What the cache keeps, and what it must not put back.
struct ReadCacheTests {
    private let cache = ReadCache(mostBytes: 100_000)

    private func record(_ token: UInt8, of account: AccountID, agent: String = "agent") -> SessionRecord {
        let session = Make.session(token, account: account).session
        return SessionRecord(
            session: Session(
                id: session.id, accountID: account, lifetime: session.lifetime, proof: session.proof,
                awaitsTerms: false, userAgent: agent, address: session.address
            ),
            account: Make.account(account).account, token: Make.digest(token)
        )
    }

    private func overview(of account: AccountID) -> AccountOverview {
        AccountOverview(
            sessions: [record(1, of: account).session], consents: [], events: [], identities: [],
            password: PasswordTimes(setAt: Make.start, lastUsedAt: nil), enteredApplications: [:])
    }

    private func fill(_ accounts: [AccountID]) {
        for (number, account) in accounts.enumerated() {
            for token in [UInt8(2 * number), UInt8(2 * number + 1)] {
                cache.keep(record(token, of: account), for: Make.digest(token), readAt: cache.clock)
            }
            cache.keep(overview(of: account), of: account, events: 5, readAt: cache.clock)
        }
    }

    /// The tokens of the sessions that are remembered.
    private var tokens: [UInt8] { (0..<4).filter { cache.session(Make.digest($0)) != nil } }
    private var accounts: [AccountID] { ["a", "b"].filter { cache.overview($0, events: 5) != nil } }

    @Test func `a changed account takes its sessions and its overview along, and nothing else`() {
        fill(["a", "b"])
        cache.drop([.account("a")])
        #expect(tokens == [2, 3] && accounts == ["b"])
    }

    @Test func `a changed session takes its account's overview along, not the other sessions`() {
        fill(["a", "b"])
        cache.drop([.session(Make.digest(0), accountID: "a")])
        #expect(tokens == [1, 2, 3] && accounts == ["b"])
    }

    @Test func `what only overviews show leaves sessions alone`() {
        fill(["a", "b"])
        cache.drop([.overview(accountID: "a")])
        #expect(tokens == [0, 1, 2, 3] && accounts == ["b"])
    }

    @Test(arguments: [CachedChange.account("a"), .session(Make.digest(1), accountID: "a"), .overview(accountID: "a")])
    func `what was read before a change is not put back after it`(change: CachedChange) {
        let clock = cache.clock
        cache.drop([change])
        cache.keep(record(0, of: "a"), for: Make.digest(0), readAt: clock)
        cache.keep(overview(of: "a"), of: "a", events: 5, readAt: clock)
        #expect(tokens.isEmpty && accounts.isEmpty)
        fill(["a"])
        #expect(tokens == [0, 1] && accounts == ["a"])
    }

    @Test func `what was read before all was dropped is not put back, whatever account it is of`() {
        let clock = cache.clock
        cache.empty()
        cache.keep(record(0, of: "a"), for: Make.digest(0), readAt: clock)
        #expect(tokens.isEmpty)
    }

    @Test func `an overview without a session is not kept, as its account may be yet to be made`() {
        let empty = AccountOverview(
            sessions: [], consents: [], events: [], identities: [], password: nil, enteredApplications: [:])
        cache.keep(empty, of: "a", events: 5, readAt: cache.clock)
        #expect(accounts.isEmpty)
    }

    @Test func `no more bytes are kept than allowed, and making room does not empty it`() {
        let agent = String(repeating: "x", count: 1_000)
        for number in 0..<500 {
            let digest = TokenDigest(bytes: [UInt8(number & 255), UInt8(number >> 8)])
            cache.keep(record(1, of: "\(number)", agent: agent), for: digest, readAt: cache.clock)
            #expect(cache.bytes <= 100_000)
        }
        // Each takes more than its text and less than three times as much.
        #expect(cache.bytes > 95_000)
        let kept = (0..<500).count { cache.session(TokenDigest(bytes: [UInt8($0 & 255), UInt8($0 >> 8)])) != nil }
        #expect((33...100).contains(kept))
    }

    @Test func `what is dropped gives its bytes back`() {
        fill(["a", "b"])
        let full = cache.bytes
        fill(["a", "b"])
        #expect(cache.bytes == full && full > 0)
        cache.drop([.overview(accountID: "a"), .session(Make.digest(0), accountID: "a"), .account("b")])
        cache.drop([.session(Make.digest(1), accountID: "a")])
        #expect(cache.bytes == 0)
    }

    @Test func `nothing is kept where nothing may be`() {
        let none = ReadCache(mostBytes: 0)
        none.keep(record(0, of: "a"), for: Make.digest(0), readAt: none.clock)
        #expect(none.session(Make.digest(0)) == nil && none.bytes == 0)
    }
}
