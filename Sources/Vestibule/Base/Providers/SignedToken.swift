import Essentials
import Foundation
import JWTKit

/// A token as it came, not believed yet: small enough, of three parts, with the one allowed
/// algorithm.
struct SignedToken: Sendable {
    let text: String
    /// `nil` only where a provider has a single key (OpenID Connect Core section 10.1).
    let keyID: String?
    private static let bytesAtMost = 16 * 1024

    private struct Header: Decodable {
        let alg: String
        let kid: String?
        /// Extensions that have to be understood (RFC 7515 section 4.1.11).
        let crit: [String]?
    }

    init(_ text: String, algorithm: String) throws(ProviderFault) {
        guard text.utf8.count <= Self.bytesAtMost else { throw .rejected("token too large") }
        let parts = text.parts(by: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[0])),
            let header = try? JSONDecoder().decode(Header.self, from: Data(bytes))
        else { throw .rejected("not a signed token") }
        guard header.alg == algorithm else { throw .rejected("token signed with another algorithm") }
        guard header.crit == nil else { throw .rejected("token with an extension that is not known") }
        self.text = text
        keyID = header.kid
    }

    /// The claims, once the signature is right. Says nothing about whether the claims are.
    func claims<Claims: JWTPayload>(_: Claims.Type, key: JWK) async throws(ProviderFault) -> Claims {
        do {
            let keys = JWTKeyCollection()
            try await keys.add(jwk: key)
            return try await keys.verify(text, as: Claims.self)
        } catch let error as JWTError where error.errorType == .malformedToken {
            throw .rejected("claims unreadable")
        } catch {
            throw .rejected("wrong signature")
        }
    }

    /// By which it is remembered as used.
    var digest: TokenDigest { TokenDigest(of: text) }
}
