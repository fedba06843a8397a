import Essentials
import Foundation

/// Finds out which client a request to the token endpoint comes from (RFC 6749 section 2.3).
struct ClientAuthentication: Sendable {
    let applications: Applications
    let secrets: ClientSecrets
    let limits: RateLimits
    let now: @Sendable () -> Date

    /// What a request shows of its client.
    struct Credentials: Sendable {
        let id: String
        /// Nil if none was sent.
        let secret: String?
    }

    /// Reads `Authorization: Basic …`, with both parts encoded as in a form. Returns nil for any
    /// other header.
    static func basic(_ header: String) -> Credentials? {
        let words = header.parts(by: " ", atMost: 2)
        guard words.count == 2, words[0].asciiLowercased == "basic", let data = Data(base64Encoded: String(words[1])),
            let text = String(validating: data, as: UTF8.self)
        else { return nil }
        let parts = text.parts(by: ":", atMost: 2).map { part in
            String(decoding: part.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
                .percentDecoded
        }
        guard parts.count == 2, let id = parts[0], let secret = parts[1] else { return nil }
        return Credentials(id: id, secret: secret.isEmpty ? nil : secret)
    }

    /// Returns nil for an unknown client, a wrong secret, none where one is needed, and one where
    /// there is none. Throws `Refusal.limited` for an IP address that sent wrong secrets too often.
    /// A right secret is accepted even then: otherwise others at the same IP address could block
    /// an application.
    func client(_ credentials: Credentials, visitor: Visitor) async throws -> ProtectedApplication? {
        let application = applications.client(credentials.id)
        let client = application?.client
        if let application, client?.isPublic == false, let secret = credentials.secret,
            try await secrets.verify(secret, of: application.name)
        {
            return application
        }
        try limits.check(claims(visitor), now: now())
        if let application, client?.isPublic == true, credentials.secret == nil { return application }
        try await failed(visitor)
        return nil
    }

    /// A wrong secret or a wrong code.
    func failed(_ visitor: Visitor) async throws {
        try await limits.take(claims(visitor), now: now())
    }

    private func claims(_ visitor: Visitor) -> [LimitClaim] {
        limits.claims(.client, LimitSubject(client: visitor.client))
    }
}
