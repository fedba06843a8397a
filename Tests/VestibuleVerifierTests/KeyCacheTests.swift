import Testing
import VerifierSupport
import VestibuleVerifier

@Suite("The keys that are kept", .timeLimit(.minutes(1)))
struct KeyCacheTests {
    private let signIn = SignIn()
    private let unknown = AssertionError.refused("It names a key that the sign-in does not publish.")

    init() { signIn.publish() }

    @Test func `they are read once`() async throws {
        let (verifier, token) = (signIn.verifier(), try signIn.token())
        for _ in 0..<20 { _ = try await verifier.verify(token) }
        #expect(signIn.reads == 1)
    }

    @Test func `a token of bad form reads none`() async throws {
        let (verifier, token) = (signIn.verifier(), try signIn.token { $0.header["jku"] = #""https://evil.example""# })
        await #expect(throws: AssertionError.self) { try await verifier.verify(token) }
        #expect(signIn.reads == 0)
    }

    @Test func `unknown ids read them again once a minute at most`() async throws {
        let verifier = signIn.verifier()
        _ = try await verifier.verify(signIn.token())
        for number in 0..<10 {
            let token = try signIn.token { $0.header["kid"] = "\"unknown\(number)\"" }
            await #expect(throws: unknown) { try await verifier.verify(token) }
        }
        #expect(signIn.reads == 1)
        let later = try signIn.advance(by: 60)
        await #expect(throws: unknown) { try await verifier.verify(later) }
        await #expect(throws: unknown) { try await verifier.verify(later) }
        #expect(signIn.reads == 2)
    }

    @Test func `a new key is found when a token names it`() async throws {
        let verifier = signIn.verifier()
        _ = try await verifier.verify(signIn.token())
        _ = try signIn.token { ($0.header["kid"], $0.published["kid"]) = (#""second""#, #""second""#) }
        signIn.publish()
        #expect(try await verifier.verify(signIn.advance(by: 61)).id == "ada1")
        // The first key is gone with that.
        let old = try signIn.token { $0.header["kid"] = #""first""# }
        await #expect(throws: unknown) { try await verifier.verify(old) }
    }

    @Test func `tokens that come at once read them once`() async throws {
        signIn.answers(after: .milliseconds(200))
        let (verifier, good) = (signIn.verifier(), try signIn.token())
        let other = try signIn.token { $0.header["kid"] = #""other""# }
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask { [unknown] in
                    guard number % 2 == 1 else { return _ = try await verifier.verify(good) }
                    await #expect(throws: unknown) { try await verifier.verify(other) }
                }
            }
            try await group.waitForAll()
        }
        #expect(signIn.reads == 1)
    }

    @Test func `after an hour they are read again, and nobody waits for that`() async throws {
        let verifier = signIn.verifier()
        _ = try await verifier.verify(signIn.token())
        _ = try await verifier.verify(signIn.advance(by: 3599))
        #expect(signIn.reads == 1)
        signIn.answers(after: .seconds(600))
        _ = try await verifier.verify(signIn.advance(by: 1))
        while signIn.reads == 1 { try await Task.sleep(for: .milliseconds(5)) }
        _ = try await verifier.verify(signIn.token())
        #expect(signIn.reads == 2)
    }

    @Test func `without the sign-in they are good for a day`() async throws {
        let verifier = signIn.verifier()
        _ = try await verifier.verify(signIn.token())
        signIn.publish(nil)
        _ = try await verifier.verify(signIn.advance(by: 86_399))
        let tooLate = try signIn.advance(by: 1)
        await #expect(throws: AssertionError.self) { try await verifier.verify(tooLate) }
    }
}
