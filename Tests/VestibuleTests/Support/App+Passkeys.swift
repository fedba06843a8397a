import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials

/// Native calls with a passkey.
extension App {
    /// A call that brings what an authenticator answered.
    private struct Body: Encodable {
        let challenge: String
        let credential: Message
        var flow, method, name, currentPassword: String?

        private enum CodingKeys: String, CodingKey {
            case challenge, credential, flow, method, name
            case currentPassword = "current_password"
        }
    }

    private struct Options: Decodable {
        let challenge: String
        let options: PasskeyQuestion
    }

    private func question(
        _ path: String, password: String? = nil
    ) async throws -> (sealed: String, bytes: [UInt8], handle: [UInt8]?) {
        let reply = try await call(.post, path, password.map { ["current_password": $0] } ?? [:])
        try #require(reply.status == .ok)
        let read = try JSONDecoder().decode(Options.self, from: Data(reply.body.utf8))
        return (read.challenge, read.options.bytes, read.options.handle)
    }

    @discardableResult
    func signIn(with key: Authenticator) async throws -> Reply {
        let question = try await question("sign-in/passkey/options")
        return try await call(
            .post, "sign-in/passkey",
            Body(challenge: question.sealed, credential: try key.assertion(question.bytes)))
    }

    @discardableResult
    func second(_ flow: String, with key: Authenticator) async throws -> Reply {
        let question = try await question("sign-in/passkey/options")
        return try await call(
            .post, "sign-in/second",
            Body(
                challenge: question.sealed, credential: try key.assertion(question.bytes), flow: flow,
                method: "passkey"))
    }

    @discardableResult
    func prove(with key: Authenticator) async throws -> Reply {
        let question = try await question("factors/proof/options")
        return try await call(
            .post, "factors/proof",
            Body(
                challenge: question.sealed, credential: try key.assertion(question.bytes), method: "passkey"))
    }

    /// Adds a passkey; the authenticator learns who the account is.
    @discardableResult
    func add(_ key: inout Authenticator, name: String = "", password: String? = nil) async throws -> Reply {
        let question = try await question("factors/passkeys/options", password: password)
        key.handle = question.handle
        return try await call(
            .post, "factors/passkeys",
            Body(
                challenge: question.sealed, credential: key.registration(question.bytes), name: name,
                currentPassword: password))
    }
}
