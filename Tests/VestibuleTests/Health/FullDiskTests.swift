import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct FullDiskTests {
    @Test func `a server is not ready for 15 seconds after a request met a full disk`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            #expect(try await visitor.get("/readyz").status == .ok)
            house.services.audit.log(StoreUnavailable("cannot extend file", .fullDisk), house.services.logger)
            house.clock.advance(by: .seconds(14))
            let answer = try await visitor.get("/readyz")
            #expect(answer.status == .serviceUnavailable && answer.body == "store\n")
            house.clock.advance(by: .seconds(1))
            #expect(try await visitor.get("/readyz").status == .ok)
        }
    }

    @Test func `a request that meets a full disk is noted`() async throws {
        let store = BrokenStore(error: StoreUnavailable("cannot extend file", .fullDisk))
        try await withHouse(store: store) { house in
            let answer = try await house.visitor().post("/reset", ["email": "ada@example.com"])
            #expect(answer.status == .serviceUnavailable)
            #expect(house.services.audit.outage.isDiskFull(at: house.clock.now))
        }
    }

    @Test func `after another fault it is ready as soon as the store works`() async throws {
        try await withHouse { house in
            house.services.audit.log(StoreUnavailable("the server is away"), house.services.logger)
            let answer = try await house.visitor().get("/readyz")
            #expect(answer.status == .ok)
        }
    }
}
