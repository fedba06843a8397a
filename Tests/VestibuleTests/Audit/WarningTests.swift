import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct WarningTests {
    private static let name = "authn_login_fail"

    private func fail(_ house: House, _ count: Int, from address: (Int) -> String) async throws {
        for number in 0..<count {
            try await house.visitor(at: address(number)).logIn(email: "user\(number)@example.com", password: "guess")
        }
    }

    @Test func `of one source ten warnings a minute are written, the others counted`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            try await fail(house, 25) { _ in "192.0.2.1" }
            try await fail(house, 1) { _ in "192.0.2.2" }
            #expect(house.logs.lines(of: Self.name).count == 11)
            house.clock.advance(by: .seconds(60))
            try await fail(house, 1) { _ in "192.0.2.1" }
            let lines = house.logs.lines(of: Self.name)
            #expect(lines.count == 13)
            #expect(lines[11] == "warning authn_login_fail: 15 more of these in a minute count=15 event=\(Self.name)")
            #expect(lines[12].contains("source_ip=192.0.2.1"))
        }
    }

    @Test func `what was left out of the last minute is told when the server stops`() async throws {
        let logs = Mutex<LogRecorder?>(nil)
        try await withHouse([.limitLogin: "off"]) { house in
            logs.withLock { $0 = house.logs }
            try await fail(house, 12) { _ in "192.0.2.1" }
        }
        let lines = logs.withLock { $0?.lines(of: Self.name) ?? [] }
        #expect(lines.last?.contains(": 2 more of these in a minute") == true)
    }

    @Test func `of one kind a hundred a minute are written, from however many sources`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            try await fail(house, 130) { "192.0.2.\($0)" }
            #expect(house.logs.lines(of: Self.name).count == 100)
            // Another kind is not crowded out.
            _ = try await house.visitor().post("/login", [:], headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(house.logs.lines(of: "malicious_csrf").count == 1)
            house.clock.advance(by: .seconds(61))
            _ = try await house.member("ada@example.com")
            #expect(house.logs.lines(of: Self.name).last?.contains(": 30 more of these in a minute") == true)
        }
    }

    @Test func `of a store that cannot work one error a minute and cause is written, the others counted`()
        async throws
    {
        @Sendable func lines(_ house: House) -> [String] { house.logs.lines(of: "store_unavailable") }
        try await withHouse(store: BrokenStore(error: StoreUnavailable("the server is away"))) { house in
            for _ in 0..<20 { try await house.visitor().logIn(email: "ada@example.com", password: "guess") }
            #expect(lines(house).count == 1)
            #expect(lines(house).first?.contains("error store unavailable error=the server is away") == true)
            house.services.audit.log(StoreUnavailable("the disk is full"), house.services.logger)
            #expect(lines(house).count == 2)
            house.clock.advance(by: .seconds(60))
            try await house.visitor().logIn(email: "ada@example.com", password: "guess")
            #expect(lines(house).count == 4)
            // The workers, which meet it too, are among them.
            let summary = try #require(lines(house)[2].firstMatch(of: /more of these in a minute count=(\d+)/))
            #expect(Int(summary.output.1).map { $0 >= 19 } == true)
        }
    }

    @Test func `once the store works and no request meets the fault, a line says how long some did`() async throws {
        let (logs, clock, store) = (LogRecorder(level: .info), TestClock(), try await sharedStore())
        let audit = Audit(logger: logs.logger, random: .system, now: { clock.now })
        func serve(_ store: any NodeStore) async {
            let node = Node(id: "1", name: "node1:8080", version: "1", startedAt: clock.now)
            let presence = NodePresence(store: store, node: node, logger: logs.logger, audit: audit, now: { clock.now })
            var told: Set<String> = []
            await presence.note(&told)
        }
        audit.log(StoreUnavailable("away"), logs.logger)
        clock.advance(by: .seconds(12))
        audit.log(StoreUnavailable("away"), logs.logger)
        await serve(store)
        clock.advance(by: .seconds(30))
        await serve(BrokenStore(error: StoreUnavailable("away")))
        #expect(logs.lines(of: "store_available").isEmpty)
        for _ in 0..<2 { await serve(store) }
        #expect(logs.lines(of: "store_available") == ["notice store available again after=12 event=store_available"])
    }

    @Test func `an event that is not a warning is written each time`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            _ = try await house.member("ada@example.com")
            for _ in 0..<30 { try await house.visitor().logIn(email: "ada@example.com") }
            #expect(house.logs.lines(of: "authn_login_success").count == 31)
        }
    }
}
