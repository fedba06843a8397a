import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct SessionAPITests {
    @Test func `apps and browsers stand in one list, and each can end the other`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let browser = house.visitor()
            try await browser.logIn(email: "ada@example.com")
            #expect(try await browser.get("/account/devices").shows("Acme"))
            let list = try await app.call(.get, "sessions")
            let devices = Set((0..<2).compactMap { list["sessions.\($0).device"] })
            #expect(devices == ["Acme", "Firefox – Linux"] && list["sessions.2.id"] == nil)
            let other = list["sessions.0.current"] == "1" ? "1" : "0"
            let id = list["sessions.\(other).id"] ?? ""
            #expect(try await app.call(.delete, "sessions/\(id)").status == .noContent)
            #expect(try await !browser.isSignedIn())
            #expect(try await app.call(.delete, "sessions/\(id)").status == .notFound)
        }
    }

    @Test func `ending another session needs a fresh proof, ending one's own does not`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let other = house.app()
            try await other.signIn("ada@example.com")
            house.clock.advance(by: .seconds(600))
            let id = try await other.call(.get, "session")["session.id"] ?? ""
            let refused = try await app.call(.delete, "sessions/\(id)")
            #expect(refused.status == .forbidden && refused.code == "reauthentication_required")
            let wrong = try await app.call(.delete, "sessions/\(id)", ["current_password": "guess"])
            #expect(wrong.status == .unprocessableContent && wrong.code == "invalid_credentials")
            #expect(try await other.isSignedIn())
            let right = try await app.call(.delete, "sessions/\(id)", ["current_password": App.goodPassword])
            #expect(right.status == .noContent)
            #expect(try await !other.isSignedIn())
            let own = try await app.call(.get, "session")["session.id"] ?? ""
            #expect(try await app.call(.delete, "sessions/\(own)").status == .noContent)
            #expect(try await !app.isSignedIn())
        }
    }

    @Test func `every other session ends by one call, after a fresh proof`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let others = [house.app(), house.app()]
            for other in others { try await other.signIn("ada@example.com") }
            house.clock.advance(by: .seconds(600))
            let refused = try await app.call(.post, "sessions/end-others")
            #expect(refused.status == .forbidden && refused.code == "reauthentication_required")
            for other in others { #expect(try await other.isSignedIn()) }
            // Many clients name the type of a body that they do not send.
            let empty = try await app.call(
                .post, "sessions/end-others", raw: [], headers: ["Content-Type": "application/json"])
            #expect(empty.body == refused.body)
            let password = ["current_password": App.goodPassword]
            let untyped = try await app.call(.post, "sessions/end-others", raw: Array("{}".utf8), headers: [:])
            #expect(untyped.status == .unsupportedMediaType)
            let copy = house.app(token: await app.token)
            #expect(try await app.call(.post, "sessions/end-others", password).status == .ok)
            for other in others + [copy] { #expect(try await !other.isSignedIn()) }
            #expect(try await app.isSignedIn())
        }
    }

    @Test func `somebody else's session is 404 and goes on`() async throws {
        try await withHouse { house in
            let ada = try await house.appMember("ada@example.com")
            let bob = try await house.appMember("bob@example.com")
            let id = try await bob.call(.get, "session")["session.id"] ?? ""
            let reply = try await ada.call(.delete, "sessions/\(id)")
            #expect(reply.status == .notFound && reply.code == "unknown")
            #expect(try await bob.isSignedIn())
        }
    }
}
