import Bytes
import Foundation
import JWTKit

/// An assertion that has the form of one (RFC 7515 section 7.1); its signature is not verified yet.
///
/// Everything that two readers could understand differently is refused here: other spellings of
/// base64url, names that stand twice, members of the header that name or describe keys.
struct AssertionEnvelope {
    let keyID: String
    private let signed: [UInt8]
    private let claims: [UInt8]
    private let signature: [UInt8]
    /// In bytes. Servers of HTTP take no longer header.
    private static let longest = 16_384

    init(_ text: String) throws(AssertionError) {
        guard text.utf8.count <= Self.longest else { throw .refused("It is longer than \(Self.longest) bytes.") }
        let parts = text.parts(by: ".", atMost: 4)
        let decoded = parts.map { Base64URL.decode(String($0)) }
        guard decoded.count == 3, let header = decoded[0], let claims = decoded[1], let signature = decoded[2] else {
            throw .refused("It is not three parts of base64url.")
        }
        guard signature.count == 64 else { throw .refused("Its signature has not 64 bytes.") }
        guard case .object(let members)? = try? JSONParser.parse(header),
            case .object? = try? JSONParser.parse(claims)
        else { throw .refused("Its header or its claims are not an object of JSON, each name once.") }
        keyID = try Self.keyID(members)
        signed = Array(text.utf8.dropLast(parts[2].utf8.count + 1))
        (self.claims, self.signature) = (claims, signature)
    }

    private static func keyID(_ header: [String: JSONValue]) throws(AssertionError) -> String {
        guard header.count == 3, header["alg"] == .string("ES256"), header["typ"] == .string("JWT"),
            case .string(let id)? = header["kid"], !id.isEmpty
        else { throw .refused("Its header is not alg ES256, typ JWT and a kid, and nothing else.") }
        return id
    }

    /// What it says, if that key has signed it.
    func claims(signedWith key: any JWTAlgorithm) throws(AssertionError) -> AssertionClaims {
        guard (try? key.verify(signature, signs: signed)) == true else { throw .refused("Its signature is wrong.") }
        do {
            return try JSONDecoder().decode(AssertionClaims.self, from: Data(claims))
        } catch {
            throw .refused("A claim is missing or of the wrong type.")
        }
    }
}
