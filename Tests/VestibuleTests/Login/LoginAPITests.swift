import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct LoginAPITests {
    @Test func `an app signs in, finds its session again, and signs out`() async throws {
        try await withHouse { house in
            _ = try await house.appMember("ada@example.com")
            let app = house.app()
            #expect(try await app.signIn("Ada@Example.com").status == .ok)
            let session = try await app.call(.get, "session")
            #expect(session["user.email"] == "ada@example.com" && session["session.device"] == "Acme")
            #expect(session["session.current"] == "1" && session["terms_required"] == "0")
            #expect(try await app.call(.post, "sign-out").status == .noContent)
            let ended = try await app.call(.get, "session")
            #expect(ended.status == .unauthorized && ended.code == "session_expired")
            #expect(ended.headers[.wwwAuthenticate] == "Bearer realm=\"vestibule\", error=\"invalid_token\"")
        }
    }

    @Test func `one answer for every wrong pair, unverified accounts included`() async throws {
        let store = try await sharedStore()
        try await withHouse([.verification: "off"], store: store) { house in
            try await house.app().signUp("ada@example.com")
        }
        try await withHouse(store: store) { house in
            _ = try await house.appMember("bob@example.com")
            let unverified = try await house.app().signIn("ada@example.com")
            let wrong = try await house.app().signIn("bob@example.com", password: "wrong")
            let unknown = try await house.app().signIn("nobody@example.com")
            for reply in [unverified, wrong, unknown] {
                #expect(reply.status == .unauthorized && reply.body == wrong.body)
                #expect(reply.code == "invalid_credentials" && reply["detail"] == "Invalid email or password")
                #expect(reply.headers[.wwwAuthenticate] == "Bearer realm=\"vestibule\"")
            }
        }
    }

    @Test func `a form that can be right for nobody is refused before any limit`() async throws {
        try await withHouse([.limitLogin: "1/h/ip"]) { house in
            for (body, codes) in [
                ([:], ["email missing", "password missing"]), (["email": "ada@example.com"], ["password missing"]),
                (["email": "no address", "password": "x"], ["email invalid"]),
            ] as [([String: String], [String])] {
                let reply = try await house.app().call(.post, "sign-in", body)
                #expect(reply.status == .unprocessableContent && reply.code == "validation_failed")
                let errors = (0..<3).compactMap { number in
                    reply["errors.\(number).field"].map { "\($0) \(reply["errors.\(number).code"] ?? "")" }
                }
                #expect(errors == codes)
                #expect(reply.headers[.wwwAuthenticate] == nil)
            }
            #expect(try await house.app().signIn("ada@example.com").status == .unauthorized)
            #expect(try await house.app().signIn("ada@example.com").status == .tooManyRequests)
        }
    }

    @Test func `guessing is limited together with the login page`() async throws {
        try await withHouse([.limitLogin: "3/15m/address"]) { house in
            _ = try await house.appMember("ada@example.com")
            try await house.visitor().logIn(email: "ada@example.com", password: "wrong")
            for _ in 0..<2 { try await house.app().signIn("ada@example.com", password: "wrong") }
            let reply = try await house.app().signIn("ada@example.com")
            #expect(reply.status == .tooManyRequests && reply.code == "rate_limited")
            #expect(
                reply.headers[.retryAfter] == "300" && reply["detail"] == "Too many attempts. Try again in 5 minutes.")
        }
    }

    @Test func `a token ends when idle, too old, ended elsewhere, or its owner signs in again`() async throws {
        try await withHouse { house in
            let idle = try await house.appMember("ada@example.com")
            let used = house.app()
            try await used.signIn("ada@example.com")
            let before = await used.token
            try await used.signIn("ada@example.com")
            #expect(try await !house.app(token: before).isSignedIn())
            for _ in 0..<2 {
                house.clock.advance(by: .seconds(13 * 86_400))
                #expect(try await used.isSignedIn())
            }
            #expect(try await !idle.isSignedIn())
            house.clock.advance(by: .seconds(4 * 86_400))
            #expect(try await !used.isSignedIn())
        }
    }

    @Test func `cookies mean nothing to the API, and tokens nothing to the pages`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let token = await app.token ?? ""
            let cookie = ["Cookie": "vestibule=\(token); vestibule-language=de"]
            let reply = try await house.app().call(.get, "session?lang=de", headers: cookie)
            #expect(reply.status == .unauthorized && reply["detail"] == "Please sign in to continue.")
            #expect(reply.headers[.wwwAuthenticate] == "Bearer realm=\"vestibule\"")
            let browser = house.visitor()
            await browser.set("vestibule", token)
            for path in ["/api/auth/session", "//api/auth/session", "/api//auth//session/"] {
                #expect(try await browser.get(path).status == .unauthorized)
            }
            let page = try await house.visitor().get("/account", headers: ["Authorization": "Bearer \(token)"])
            #expect(page.location == "/login?return_to=/account")
        }
    }

    @Test func `raised terms must be accepted before anything else`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in _ = try await house.appMember("ada@example.com") }
        try await withHouse([.termsVersion: "2"], store: store) { house in
            let app = house.app()
            #expect(try await app.signIn("ada@example.com")["terms_required"] == "1")
            #expect(try await app.call(.get, "session")["terms_required"] == "1")
            for (method, path) in [(HTTPRequest.Method.get, "user"), (.get, "sessions"), (.patch, "user")] {
                let reply = try await app.call(method, path)
                #expect(reply.status == .forbidden && reply.code == "terms_required")
            }
            let leaving = try await app.call(.delete, "user", ["current_password": "wrong"])
            #expect(leaving.code == "invalid_credentials")
            #expect(try await app.call(.post, "user/terms", ["terms": "no"]).status == .unprocessableContent)
            #expect(try await app.call(.post, "user/terms", ["terms": "accepted"]).status == .noContent)
            #expect(try await app.call(.get, "user").status == .ok)
            #expect(try await house.events(of: "ada@example.com").first?.kind == .termsAccepted)
        }
    }
}
