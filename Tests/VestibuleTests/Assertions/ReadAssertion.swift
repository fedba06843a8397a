import Crypto
import Foundation
import Testing

@testable import Essentials
@testable import Vestibule

/// An assertion as an application reads it: by the published keys and swift-crypto alone.
struct ReadAssertion {
    let header: [String: String]
    let claims: [String: Any]

    /// Fails unless one of the published keys has signed it.
    init(_ text: String, keySet: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        header = try #require(try Self.object(parts[0]) as? [String: String])
        claims = try #require(try Self.object(parts[1]))
        let keys = try Self.keys(keySet)
        let key = try #require(keys.first { $0["kid"] == header["kid"] })
        let point = try [key["x"], key["y"]].flatMap { try #require(Base64URL.decode($0 ?? "")) }
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try #require(Base64URL.decode(parts[2])))
        let publicKey = try P256.Signing.PublicKey(rawRepresentation: point)
        try #require(publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }

    static func keys(_ keySet: String) throws -> [[String: String]] {
        let document = try JSONSerialization.jsonObject(with: Data(keySet.utf8)) as? [String: Any]
        return try #require(document?["keys"] as? [[String: String]])
    }

    private static func object(_ part: String) throws -> [String: Any]? {
        try JSONSerialization.jsonObject(with: Data(try #require(Base64URL.decode(part)))) as? [String: Any]
    }

    func number(_ claim: String) -> Int? { claims[claim] as? Int }
    func text(_ claim: String) -> String? { claims[claim] as? String }
    func list(_ claim: String) -> [String]? { claims[claim] as? [String] }
}

extension House {
    func assertions() -> Assertions {
        Assertions(
            keys: SigningKeys(store: services.store, secretKey: services.secretKey, now: services.now),
            issuer: "http://localhost:8080", random: services.random, now: services.now)
    }

    /// The session of a browser, as the store has it.
    func record(of browser: Browser) async throws -> SessionRecord {
        let cookies = await browser.cookies
        let token = try #require(Token(presented: cookies["vestibule"] ?? cookies["__Host-vestibule"] ?? ""))
        return try #require(try await services.store.session(token.digest))
    }

    func keySet() async throws -> String {
        try await visitor().get("/.well-known/jwks.json").body
    }
}
