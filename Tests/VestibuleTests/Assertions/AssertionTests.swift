import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct AssertionTests {
    private let notes: Origin
    private let wiki: Origin

    init() throws {
        notes = try #require(Origin("https://notes.example.com"))
        wiki = try #require(Origin("https://wiki.example.com"))
    }

    @Test func `an application can verify who came in by the published keys`() async throws {
        try await withHouse { house in
            let member = try await house.member("Ada@example.com")
            house.clock.advance(by: .seconds(100))
            let record = try await house.record(of: member)
            let text = try await house.assertions().assertion(for: record, audience: notes).value
            let read = try ReadAssertion(text, keySet: try await house.keySet())
            #expect(read.header["alg"] == "ES256" && read.header["typ"] == "JWT" && read.header.count == 3)
            let start = Int(house.clock.now.timeIntervalSince1970)
            #expect(read.text("iss") == "http://localhost:8080" && read.text("aud") == "https://notes.example.com")
            #expect(read.text("sub") == record.account.id.rawValue && read.text("sid") == record.session.id.rawValue)
            #expect(read.number("iat") == start && read.number("exp") == start + 60)
            #expect(read.number("auth_time") == start - 100 && read.list("amr") == ["pwd"])
            #expect(read.text("email") == "Ada@example.com" && read.claims["email_verified"] as? Bool == true)
            #expect(read.text("name") == record.account.displayName && read.list("groups") == [])
            #expect(read.text("jti")?.isEmpty == false && read.claims.count == 13)
        }
    }

    @Test func `for 30 seconds an application gets the same assertion, and another one its own`() async throws {
        try await withHouse { house in
            let record = try await house.record(of: try await house.member("ada@example.com"))
            let assertions = house.assertions()
            let first = try await assertions.assertion(for: record, audience: notes).value
            #expect(try await assertions.assertion(for: record, audience: wiki).value != first)
            house.clock.advance(by: .seconds(29))
            #expect(try await assertions.assertion(for: record, audience: notes).value == first)
            house.clock.advance(by: .seconds(1))
            let second = try await assertions.assertion(for: record, audience: notes).value
            #expect(second != first)
            house.clock.set(by: -3600)
            #expect(try await assertions.assertion(for: record, audience: notes).value != second)
        }
    }

    @Test func `a new name, a group and a new proof show at once`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let assertions = house.assertions()
            func read() async throws -> ReadAssertion {
                let record = try await house.record(of: member)
                let text = try await assertions.assertion(for: record, audience: notes).value
                return try ReadAssertion(text, keySet: try await house.keySet())
            }
            let before = try await read()
            let account = try await house.record(of: member).account.id
            let csrf = try await member.get("/account").csrf ?? ""
            try await member.post("/account/profile", ["csrf": csrf, "display_name": "Countess"])
            #expect(try await read().text("name") == "Countess")
            let groups = Set(["staff", "Editors"].compactMap(GroupName.init))
            let membership = GroupMembership(store: house.services.store, author: house.services.author)
            #expect(try await membership.change(GroupChange(accountID: account, adding: groups)))
            #expect(try await read().list("groups") == ["Editors", "staff"])
            house.clock.advance(by: .seconds(5))
            let fields = ["csrf": csrf, "current_password": Browser.goodPassword]
            try await member.post("/account/export", fields)
            house.clock.advance(by: .seconds(600))
            // Kept from now on for 30 seconds.
            #expect(try await read().number("auth_time") == before.number("auth_time"))
            try await member.post("/account/export", fields)
            let after = try await read()
            #expect(after.number("auth_time") == (before.number("auth_time") ?? 0) + 605)
        }
    }

    @Test func `an assertion about a machine names no person`() async throws {
        try await withHouse { house in
            let token = MachineToken(
                id: "t1", application: "notes", label: "backup", createdAt: house.clock.now, expiresAt: nil)
            let assertions = house.assertions()
            let text = try await assertions.assertion(for: token, audience: notes)
            let read = try ReadAssertion(text, keySet: try await house.keySet())
            #expect(read.text("sub") == "token:t1" && read.list("amr") == ["token"] && read.list("groups") == [])
            #expect(read.text("aud") == notes.text && read.claims.count == 8)
            #expect(try await assertions.assertion(for: token, audience: notes) == text)
            #expect(try await assertions.assertion(for: token, audience: wiki) != text)
        }
    }

    @Test func `the cache holds a bounded number, and what was asked for lately`() throws {
        let cache = AssertionCache()
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        let keys = (0..<40_000).map { AssertionCache.Key(id: "\($0)", audience: notes) }
        for key in keys { cache.keep("text", for: key, nil, at: now) }
        let kept = keys.count { cache.text($0, nil, at: now) != nil }
        #expect((8192...16_384).contains(kept))
        #expect(cache.text(keys[39_999], nil, at: now) == "text")
    }
}
