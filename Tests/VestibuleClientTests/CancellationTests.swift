import Foundation
import Testing
import VestibuleClient

/// Calls whose task is cancelled.
@Suite(.timeLimit(.minutes(2))) struct CancellationTests {
    private static let session = #"""
        {"user": {"id": "1", "email": "ada@example.com", "email_verified": true, "name": "Ada",
        "created_at": "2026-11-21T09:30:00Z"}, "terms_required": false, "token": "second"}
        """#

    @Test func `a call that is cancelled ends at once, on the line, too`() async throws {
        let wire = try Wire.silent()
        let client = AuthClient(server: wire.url, store: MemoryTokenStore(), patience: 300)
        let call = Task { try await client.site() }
        try await eventually("the request") { wire.requests.first }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        try await eventually("the end of the line") { wire.requests.last == "closed" ? true : nil }
    }

    @Test(
        arguments: [
            { @Sendable app in _ = try await app.signIn(email: "ada@example.com", password: .good) },
            { @Sendable app in _ = try await app.verifySignUp(flow: "flow", code: "123456") },
            { @Sendable app in try await app.changePassword(to: .other, currentPassword: .good) },
        ] as [@Sendable (AuthClient) async throws -> Void])
    func `a token that comes after its call was cancelled is kept`(
        _ call: @escaping @Sendable (AuthClient) async throws -> Void
    ) async throws {
        let isCancelled = DispatchSemaphore(value: 0)
        let wire = try Wire { _ in
            isCancelled.wait()
            return Wire.answer("200 OK", "application/json", Self.session)
        }
        let store = KeptToken("first")
        let client = AuthClient(server: wire.url, store: store)
        let task = Task { try await call(client) }
        try await eventually("the request") { wire.requests.first }
        task.cancel()
        isCancelled.signal()
        try await task.value
        #expect(store.load() == "second")
    }

    @Test func `a call that was cancelled before it was sent is not sent`() async throws {
        let wire = try Wire { _ in nil }
        let client = AuthClient(server: wire.url, store: MemoryTokenStore())
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.signIn(email: "ada@example.com", password: .good)
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(wire.requests.isEmpty)
    }
}
