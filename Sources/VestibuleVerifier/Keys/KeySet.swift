import Bytes
import Foundation
import JWTKit

/// The keys that may have signed an assertion, by their ids.
struct KeySet: Sendable {
    let signers = JWTKeyCollection()
    private let ids: Set<String>

    /// Reads a JSON Web Key Set (RFC 7517 section 5). Keys of other kinds or for other uses are
    /// left out. Throws if it is no such set, or two keys have one id.
    init(_ data: Data) async throws {
        _ = try JSONParser.parse([UInt8](data))
        let published = try JSONDecoder().decode(Published.self, from: data).keys.filter(\.signsAssertions)
        ids = Set(published.compactMap(\.kid))
        guard ids.count == published.count else { throw Fault("Two of its keys have one id.") }
        for key in published {
            guard let kid = key.kid, let parameters = key.parameters else { continue }
            await signers.add(
                ecdsa: try ES256PublicKey(parameters: parameters), kid: JWKIdentifier(string: kid))
        }
    }

    func holds(_ id: String) -> Bool { ids.contains(id) }

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
