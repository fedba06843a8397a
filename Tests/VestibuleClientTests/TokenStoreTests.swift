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
