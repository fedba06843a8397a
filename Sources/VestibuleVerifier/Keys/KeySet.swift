import Bytes
import Foundation
import JWTKit

/// The keys that may have signed an assertion, by their ids.
struct KeySet: Sendable {
    let keys: [String: any JWTAlgorithm]

    /// Reads a JSON Web Key Set (RFC 7517 section 5). Keys of other kinds or for other uses are
    /// left out. Throws if it is no such set, or two keys have one id.
    init(_ data: Data) async throws {
        _ = try JSONParser.parse([UInt8](data))
        let collection = JWTKeyCollection()
        var keys: [String: any JWTAlgorithm] = [:]
        for key in try JSONDecoder().decode(Published.self, from: data).keys where key.signsAssertions {
            guard let id = key.kid, let parameters = key.parameters else { continue }
            guard keys[id] == nil else { throw Fault("Two of its keys have one id.") }
            let kid = JWKIdentifier(string: id)
            await collection.add(ecdsa: try ES256PublicKey(parameters: parameters), kid: kid)
            keys[id] = try await collection.getKey(for: kid)
        }
        self.keys = keys
    }

    struct Fault: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private struct Published: Decodable {
        let keys: [Key]
    }

    /// RFC 7517 section 4, RFC 7518 section 6.2.1.
    private struct Key: Decodable {
        let kty: String
        let crv, x, y, use, alg, kid: String?

        var signsAssertions: Bool {
            kty == "EC" && crv == "P-256" && use == "sig" && alg == "ES256" && kid?.isEmpty == false
                && parameters != nil
        }

        var parameters: ECDSAParameters? {
            guard let x, let y, Base64URL.decode(x)?.count == 32, Base64URL.decode(y)?.count == 32 else { return nil }
            return (x, y)
        }
    }
}
