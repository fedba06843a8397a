import Foundation
import Testing
import VestibuleClient

/// Token stores that fail.
@Suite(.timeLimit(.minutes(2))) struct TokenStoreTests {
    /// A token store that cannot be read, such as a keychain before the device is first unlocked.
    private struct Locked: TokenStore, Error {
        let kept: KeptToken
        func load() throws -> Secret? { throw self }
        func keep(_ token: Secret?) { kept.keep(token) }
    }

    @Test func `a store that cannot be read keeps nobody from signing in`() async throws {
        let (house, email, kept) = (try await ServerHouse.shared, newAddress(), KeptToken("kept"))
        _ = try await house.newcomer(email)
        let app = house.client(Locked(kept: kept))
        await #expect(throws: Locked.self) { try await app.user() }
        #expect(try await app.site().allowsSignUp)
        _ = try await app.signIn(email: email, password: .good)
        #expect(try await app.user().email == email)
        #expect(kept.load() != "kept")
    }

    @Test func `a token that cannot be read is forgotten by signing out`() async throws {
        let kept = KeptToken("kept")
        let app = try await ServerHouse.shared.client(Locked(kept: kept))
        await #expect(throws: Locked.self) { try await app.signOut() }
        #expect(kept.load() == nil)
        #expect(try await app.restore() == .signedOut)
    }

    @Test func `a renewed token that was not kept ends as any other`() async throws {
        struct Stuck: TokenStore, Error {
            func load() -> Secret? { "first" }
            func keep(_ token: Secret?) throws { if token != nil { throw self } }
        }
        let session = #"""
            {"user": {"id": "1", "email": "ada@example.com", "email_verified": true, "name": "Ada",
            "created_at": "2026-11-21T09:30:00Z"}, "terms_required": false, "token": "second"}
            """#
        let wire = try Wire { request in
            guard !request.contains("/user/password ") else {
                return Wire.answer("200 OK", "application/json", session)
            }
            let problem = #"{"status": 401, "detail": "Please sign in to continue.", "code": "session_expired"}"#
            return Wire.answer("401 Unauthorized", "application/problem+json", problem)
        }
        let app = AuthClient(server: wire.url, store: Stuck())
        await #expect(throws: Stuck.self) { try await app.changePassword(to: .other, currentPassword: .good) }
        #expect(try await app.restore() == .ended)
        #expect(wire.requests.map { $0.contains("Bearer second") } == [false, true, false])
    }

    @Test func `a token that cannot be kept is used all the same`() async throws {
        struct Full: TokenStore, Error {
            func load() -> Secret? { nil }
            func keep(_ token: Secret?) throws { throw self }
        }
        let (house, email) = (try await ServerHouse.shared, newAddress())
        _ = try await house.newcomer(email)
        let app = house.client(Full())
        await #expect(throws: Full.self) { try await app.signIn(email: email, password: .good) }
        #expect(try await app.restore().user?.email == email)
    }
}
