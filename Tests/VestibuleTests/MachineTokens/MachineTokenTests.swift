import Foundation
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct MachineTokenTests {
    private let store: any Store
    private let clock = TestClock()
    private let tokens: MachineTokens
    private let notes = ProtectedApplication(name: "notes", origins: [], label: "Notes")

    init() async throws {
        store = try await sharedStore()
        tokens = MachineTokens(store: store, author: Operator(now: { [clock] in clock.now }))
    }

    private func create(_ lifetime: Duration? = nil) async throws -> (token: MachineToken, secret: MachineTokenSecret) {
        let label = try #require(MachineTokens.Label("  backup "))
        return try await tokens.create(for: notes, label: label, lifetime: lifetime)
    }

    @Test func `a token is known to its application by its text alone`() async throws {
        let (token, secret) = try await create()
        #expect(secret.text.hasPrefix("vestibule_") && secret.text.utf8.count == 53 && "\(secret)" == "•••")
        #expect(try await tokens.identify(secret.text, application: "notes") == token)
        #expect(token.label == "backup" && token.expiresAt == nil)
        let bare = String(secret.text.dropFirst("vestibule_".count))
        let others = [
            bare, "vestibule_", secret.text + "A", String(secret.text.dropLast()), secret.text.uppercased(),
            " " + secret.text, "", MachineTokenSecret(from: .system).text, token.id,
        ]
        for text in others { #expect(try await tokens.identify(text, application: "notes") == nil, "\(text)") }
        #expect(try await tokens.identify(secret.text, application: "wiki") == nil)
    }

    @Test func `a token ends when it expires or is revoked`() async throws {
        let (_, expiring) = try await create(.seconds(60))
        clock.advance(by: .seconds(59))
        #expect(try await tokens.identify(expiring.text, application: "notes") != nil)
        clock.advance(by: .seconds(1))
        #expect(try await tokens.identify(expiring.text, application: "notes") == nil)
        let (token, revoked) = try await create()
        #expect(try await tokens.revoke(id: token.id))
        #expect(try await !tokens.revoke(id: token.id))
        #expect(try await tokens.identify(revoked.text, application: "notes") == nil)
    }

    @Test func `the last use is written once a minute`() async throws {
        let (token, secret) = try await create()
        let start = clock.now
        func lastUsed(after seconds: Int) async throws -> TimeInterval? {
            clock.advance(by: .seconds(seconds))
            _ = try await tokens.identify(secret.text, application: "notes")
            let listed = try await store.machineTokens(application: "notes").first { $0.id == token.id }
            return listed?.lastUsedAt.map { $0.timeIntervalSince(start) }
        }
        #expect(try await store.machineTokens(application: nil).map(\.lastUsedAt) == [nil])
        #expect(try await lastUsed(after: 1) == 1)
        #expect(try await lastUsed(after: 59) == 1)
        #expect(try await lastUsed(after: 1) == 61)
    }

    @Test(arguments: ["", "  ", "a\u{7}b", "\u{200B}", String(repeating: "a", count: 101)])
    func `a label can be shown`(text: String) {
        #expect(MachineTokens.Label(text) == nil)
    }
}
