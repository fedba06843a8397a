import Bytes
import Crypto
import VerifierSupport

extension BadToken {
    private static let length = "Its signature has not 64 bytes."
    private static let wrong = "Its signature is wrong."
    private static let unknown = "It names a key that the sign-in does not publish."

    static let signatures = [
        BadToken("no signature", length) { $0.sign = { _, _ in [] } },
        BadToken("a signature of 63 bytes", length) { $0.afterSigning { $0.dropLast() } },
        BadToken("a signature of 65 bytes", length) { $0.afterSigning { $0 + [0] } },
        BadToken("a signature in DER", length) {
            $0.sign = { key, text in [UInt8](try key.signature(for: text).derRepresentation) }
        },
        BadToken("a signature of zeros", wrong) { $0.sign = { _, _ in [UInt8](repeating: 0, count: 64) } },
        BadToken("r and s exchanged", wrong) { $0.afterSigning { $0.suffix(32) + $0.prefix(32) } },
        BadToken("one bit of the signature turned", wrong) { $0.afterSigning { [$0[0] ^ 1] + $0.dropFirst() } },
        BadToken("signed by somebody else", wrong) {
            $0.sign = { _, text in [UInt8](try P256.Signing.PrivateKey().signature(for: text).rawRepresentation) }
        },
        BadToken("claims exchanged after signing", wrong) {
            $0.respell = { token in
                let parts = token.parts(by: ".")
                let claims = String(decoding: Base64URL.decode(String(parts[1])) ?? [], as: UTF8.self)
                return "\(parts[0]).\(Base64URL.encode(claims.replacing("ada1", with: "eve1").utf8)).\(parts[2])"
            }
        },
        BadToken("a header exchanged after signing", wrong) {
            $0.respell = { token in
                let header = #"{"typ":"JWT","alg":"ES256","kid":"first"}"#
                return "\(Base64URL.encode(header.utf8)).\(token.parts(by: ".").dropFirst().joined(separator: "."))"
            }
        },
    ]

    /// Of the key that it names.
    static let keys = [
        BadToken("a kid that is not published", unknown) { $0.header["kid"] = #""other""# },
        BadToken("a kid in upper case", unknown) { $0.header["kid"] = #""FIRST""# },
        BadToken("a kid with a path", unknown) { $0.header["kid"] = #""../first""# },
        BadToken("a kid with a NUL behind it", unknown) { $0.header["kid"] = #""first\u0000""# },
        BadToken("a key for encryption", unknown) { $0.published["use"] = #""enc""# },
        BadToken("a key without a use", unknown) { $0.published["use"] = nil },
        BadToken("a key for another algorithm", unknown) { $0.published["alg"] = #""ECDH-ES""# },
        BadToken("a key of another type", unknown) { $0.published["kty"] = #""RSA""# },
        BadToken("a key on another curve", unknown) { $0.published["crv"] = #""P-384""# },
        BadToken("a key on the curve of another currency", unknown) { $0.published["crv"] = #""secp256k1""# },
        BadToken("a key with half a point", unknown) { $0.published["y"] = nil },
        BadToken("a key with a longer point", unknown) { $0.published["x"] = #""AAAA""# },
        BadToken("a symmetric key", unknown) {
            $0.published = ["kty": #""oct""#, "k": #""AAAA""#, "kid": #""first""#, "alg": #""HS256""#]
        },
    ]
}

extension Specimen {
    fileprivate mutating func afterSigning(_ change: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        let sign = sign
        self.sign = { key, text in change(try sign(key, text)) }
    }
}
