import Bytes

/// An assertion that has the form of one (RFC 7515 section 7.1); its signature is not verified yet.
///
/// Everything that two readers could understand differently is refused here: other spellings of
/// base64url, names that stand twice, members of the header that name or describe keys.
struct AssertionEnvelope {
    let token: [UInt8]
    let keyID: String
    /// In bytes. Servers of HTTP take no longer header.
    private static let longest = 16_384

    init(_ text: String) throws(AssertionError) {
        token = Array(text.utf8.prefix(Self.longest + 1))
        guard token.count <= Self.longest else { throw .refused("It is longer than \(Self.longest) bytes.") }
        let parts = text.parts(by: ".", atMost: 4).map { Base64URL.decode(String($0)) }
        guard parts.count == 3, let header = parts[0], let claims = parts[1], let signature = parts[2] else {
            throw .refused("It is not three parts of base64url.")
        }
        guard signature.count == 64 else { throw .refused("Its signature has not 64 bytes.") }
        guard case .object(let members)? = try? JSONParser.parse(header),
            case .object? = try? JSONParser.parse(claims)
        else { throw .refused("Its header or its claims are not an object of JSON, each name once.") }
        keyID = try Self.keyID(members)
    }

    private static func keyID(_ header: [String: JSONValue]) throws(AssertionError) -> String {
        guard header.count == 3, header["alg"] == .string("ES256"), header["typ"] == .string("JWT"),
            case .string(let id)? = header["kid"], !id.isEmpty
        else { throw .refused("Its header is not alg ES256, typ JWT and a kid, and nothing else.") }
        return id
    }
}
