import Foundation
import VestibuleClient
import VestibuleClientStub

/// Where behaviours are tried: the stub, and a real server. Both do the same.
enum Place: CaseIterable, Sendable {
    case stub, server

    /// A new one, or the one that all tests share: everybody in it has an address of their own.
    func house() async throws -> any House {
        switch self {
        case .stub: StubHouse()
        case .server: try await ServerHouse.shared
        }
    }
}

/// A server or what stands for it.
protocol House: Sendable {
    /// The service of a newly installed app; of a stub always the same.
    func app() -> any AuthService
    /// The code of the mail of that number to an address, from 1.
    func code(mailedTo email: String, number: Int) async throws -> Secret
    /// What an authenticator app with that key shows so many steps of 30 s from now.
    func appCode(_ setup: AuthenticatorSetup, later steps: Int) throws -> Secret
}

extension House {
    func code(mailedTo email: String) async throws -> Secret { try await code(mailedTo: email, number: 1) }

    /// Signs a new person up; returns the app, signed in.
    func newcomer(_ email: String, password: Secret = .good) async throws -> any AuthService {
        let app = app()
        let outcome = try await app.signUp(name: "Ada Lovelace", email: email, password: password, acceptsTerms: true)
        guard case .codeWanted(let flow) = outcome else { throw Unexpected(outcome) }
        _ = try await app.verifySignUp(flow: flow, code: try await code(mailedTo: email))
        return app
    }
}

/// An outcome that ends a test.
struct Unexpected: Error {
    let outcome: String

    init(_ outcome: some Any) {
        self.outcome = "\(outcome)"
    }
}

extension Secret {
    static let good: Secret = "violet tram under seven bridges"
    static let other: Secret = "seven bridges over a violet tram"
}

/// An address nobody has used yet.
func newAddress() -> String {
    "ada.\(UUID().uuidString.utf8.prefix(8).map { String(UnicodeScalar($0)) }.joined())@example.com"
}

/// The refusal that a call ends with. Throws if it ends otherwise.
func refusal<Value>(
    isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> Value
) async throws -> Refusal {
    do { throw Unexpected(try await call()) } catch let refusal as Refusal { return refusal }
}

/// The trouble that a call ends with. Throws if it ends otherwise.
func trouble<Value>(
    isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> Value
) async throws -> NetworkTrouble {
    do { throw Unexpected(try await call()) } catch let trouble as NetworkTrouble { return trouble }
}
