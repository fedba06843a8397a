import Foundation
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct SigningKeyStoreTests {
    private func key(_ name: Character, from: TimeInterval = 0, made: TimeInterval = 0) -> StoredSigningKey {
        StoredSigningKey(
            id: String(repeating: name, count: 43), sealed: [1, 2, 3], createdAt: Make.start + made,
            signsFrom: Make.start + from)
    }

    private let event = Make.event(.signingKeyAdded, account: nil)

    @Test(arguments: Engine.allCases)
    func `twenty first keys at once leave one`(engine: Engine) async throws {
        let store = try await engine.open()
        let added = try await withThrowingTaskGroup(of: StoredSigningKey?.self) { group in
            for name in "abcdefghijklmnopqrst" {
                group.addTask { try await store.addFirstSigningKey(key(name)) ? key(name) : nil }
            }
            return try await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
        }
        #expect(added.count == 1)
        #expect(try await store.signingKeys(.es256) == added)
    }

    @Test(arguments: Engine.allCases)
    func `one key waits at a time, and keys come in the order in which they sign`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addFirstSigningKey(key("z")))
        #expect(try await store.addNextSigningKey(key("b", from: 100), event: event))
        #expect(
            try await !store.addNextSigningKey(key("c", from: 199, made: 99), event: Make.event(.login, account: nil)))
        #expect(
            try await store.addNextSigningKey(
                key("a", from: 200, made: 100), event: Make.event(.signingKeyAdded, account: nil)))
        let keys = try await store.signingKeys(.es256)
        #expect(keys == [key("z"), key("b", from: 100), key("a", from: 200, made: 100)])
        #expect(
            try await store.latestEvents(accountID: nil, kind: nil, limit: 9).map(\.event.kind) == [
                .signingKeyAdded, .signingKeyAdded,
            ])
    }

    @Test(arguments: Engine.allCases)
    func `replacing leaves nothing of the others`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addFirstSigningKey(key("a")))
        #expect(try await store.addNextSigningKey(key("b", from: 100), event: event))
        try await store.replaceSigningKeys(
            with: key("c", from: 50, made: 50), event: Make.event(.signingKeysReplaced, account: nil))
        #expect(try await store.signingKeys(.es256) == [key("c", from: 50, made: 50)])
        let newest = try await store.latestEvents(accountID: nil, kind: nil, limit: 1)
        #expect(newest.map(\.event.kind) == [.signingKeysReplaced])
    }

    @Test(arguments: Engine.allCases)
    func `a key is sealed anew once, and one that was replaced meanwhile stays away`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addFirstSigningKey(key("a")))
        try await store.reseal(key("a"), as: [4])
        // From another node, which read the key before that.
        try await store.reseal(key("a"), as: [5])
        try await store.reseal(key("b"), as: [6])
        let kept = try await store.signingKeys(.es256)
        #expect(kept.map(\.id) == [key("a").id] && kept.map(\.sealed) == [[4]])
    }

    @Test(arguments: Engine.allCases)
    func `a key is purged a day and a minute after another took over, never the last`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addFirstSigningKey(key("a")))
        #expect(try await store.addNextSigningKey(key("b", from: 100), event: event))
        let end = Make.start + 100 + 86_460
        try await store.purge(PurgeBounds(now: end - 1, keepEventsSince: Make.start))
        #expect(try await store.signingKeys(.es256).count == 2)
        try await store.purge(PurgeBounds(now: end, keepEventsSince: Make.start))
        #expect(try await store.signingKeys(.es256) == [key("b", from: 100)])
        try await store.purge(PurgeBounds(now: end + 900 * 86_400, keepEventsSince: Make.start))
        #expect(try await store.signingKeys(.es256) == [key("b", from: 100)])
    }
}
