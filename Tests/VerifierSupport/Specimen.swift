import Bytes
package import Crypto
package import Foundation
package import VestibuleVerifier

/// An assertion, the keys that are published and the hour, all as a verifier likes them. Everything
/// can be changed.
package struct Specimen: Sendable {
    package static let issuer = "https://login.example.com"
    package static let audience = "https://notes.example.com"
    package let key = P256.Signing.PrivateKey()
    package var header: JSONMembers = ["alg": #""ES256""#, "kid": #""first""#, "typ": #""JWT""#]
    package var claims: JSONMembers = [
        "iss": #""https://login.example.com""#, "aud": #""https://notes.example.com""#, "sub": #""ada1""#,
        "jti": #""j1""#, "iat": "1800000000", "exp": "1800000060", "groups": #"["staff"]"#, "amr": #"["pwd"]"#,
        "sid": #""s1""#, "email": #""ada@example.com""#, "name": #""Ada""#, "email_verified": "true",
        "auth_time": "1799990000",
    ]
    package var published: JSONMembers
    /// Further keys, each as JSON.
    package var alsoPublished: [String] = []
    package var now = Date(timeIntervalSince1970: 1_800_000_010)
    /// Signs the first two parts.
    package var sign: @Sendable (_ key: P256.Signing.PrivateKey, _ text: [UInt8]) throws -> [UInt8] = { key, text in
        [UInt8](try key.signature(for: text).rawRepresentation)
    }
    /// The bytes of the claims, made from their text.
    package var encodeClaims: @Sendable (String) -> [UInt8] = { Array($0.utf8) }
    /// Changes what was signed.
    package var respell: @Sendable (_ token: String) -> String = { $0 }

    package init() {
        let point = [UInt8](key.publicKey.rawRepresentation)
        published = [
            "kty": #""EC""#, "crv": #""P-256""#, "x": "\"\(Base64URL.encode(point.prefix(32)))\"",
            "y": "\"\(Base64URL.encode(point.suffix(32)))\"", "use": #""sig""#, "alg": #""ES256""#,
            "kid": #""first""#,
        ]
    }

    package var keySet: String { #"{"keys":["# + ([published.text] + alsoPublished).joined(separator: ",") + "]}" }

    package func token() throws -> String {
        let signed = Base64URL.encode(header.text.utf8) + "." + Base64URL.encode(encodeClaims(claims.text))
        return respell(signed + "." + Base64URL.encode(try sign(key, Array(signed.utf8))))
    }

    package func verifier() -> AssertionVerifier {
        let (keySet, now) = (keySet, now)
        return AssertionVerifier(
            issuer: Self.issuer, audience: Self.audience, keys: KeySource { Data(keySet.utf8) }, now: { now })
    }
}
