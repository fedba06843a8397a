import Foundation
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

    @Test func `an event that is not a warning is written each time`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            _ = try await house.member("ada@example.com")
            for _ in 0..<30 { try await house.visitor().logIn(email: "ada@example.com") }
            #expect(house.logs.lines(of: "authn_login_success").count == 31)
        }
    }
}
