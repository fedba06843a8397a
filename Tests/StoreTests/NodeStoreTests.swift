import Foundation
import Testing

@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct NodeStoreTests {
    private func node(_ id: String, _ name: String, version: String = "1.0.0", startedAfter: TimeInterval = 0) -> Node {
        Node(id: id, name: name, version: version, startedAt: Make.start.addingTimeInterval(startedAfter))
    }

    @Test(arguments: Engine.allCases)
    func `nodes are listed by name with when each was seen last`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.nodes() == [])
        let (first, second) = (node("b", "web-1:8080"), node("a", "web-2:8080", version: "1.1.0"))
        try await store.noteNode(second, now: Make.start)
        try await store.noteNode(first, now: Make.start)
        let later = Make.start.addingTimeInterval(30)
        try await store.noteNode(second, now: later)
        #expect(
            try await store.nodes() == [
                NodeRecord(node: first, lastSeenAt: Make.start), NodeRecord(node: second, lastSeenAt: later),
            ])
    }

    @Test(arguments: Engine.allCases)
    func `nodes are listed with the ids of their keys`(engine: Engine) async throws {
        let store = try await engine.open()
        let (old, new) = ([UInt8](repeating: 1, count: 4), [UInt8](repeating: 2, count: 4))
        let keys = [nil, NodeKeys(current: old, previous: nil), NodeKeys(current: new, previous: old)]
        for (number, keys) in keys.enumerated() {
            let node = Node(
                id: "\(number)", name: "web-\(number)", version: "1", startedAt: Make.start, keys: keys)
            try await store.noteNode(node, now: Make.start)
        }
        #expect(try await store.nodes().map(\.node.keys) == keys)
    }

    @Test(arguments: Engine.allCases)
    func `a node that stops is listed no more, one that was killed for a day`(engine: Engine) async throws {
        let store = try await engine.open()
        let (stopped, killed, alive) = (node("a", "web-1:1"), node("b", "web-2:1"), node("c", "web-3:1"))
        for node in [stopped, killed, alive] { try await store.noteNode(node, now: Make.start) }
        try await store.removeNode(id: "a")
        #expect(try await store.nodes().map(\.node) == [killed, alive])
        let nextDay = Make.start.addingTimeInterval(86_400)
        try await store.noteNode(alive, now: nextDay)
        try await store.purge(PurgeBounds(now: nextDay.addingTimeInterval(-1), keepEventsSince: Make.start))
        #expect(try await store.nodes().map(\.node) == [killed, alive])
        try await store.purge(PurgeBounds(now: nextDay, keepEventsSince: Make.start))
        #expect(try await store.nodes().map(\.node) == [alive])
    }

    @Test(arguments: Engine.allCases)
    func `a clock that is set back makes no node older than it is`(engine: Engine) async throws {
        let store = try await engine.open()
        let node = node("a", "web-1:1")
        try await store.noteNode(node, now: Make.start.addingTimeInterval(60))
        try await store.noteNode(node, now: Make.start.addingTimeInterval(-60))
        #expect(try await store.nodes().map(\.lastSeenAt) == [Make.start.addingTimeInterval(60)])
    }
}
