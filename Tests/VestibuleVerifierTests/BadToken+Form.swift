import Bytes
import Crypto
import Foundation
import VerifierSupport

extension BadToken {
    private static let parts = "It is not three parts of base64url."
    private static let json = "Its header or its claims are not an object of JSON, each name once."
    private static let header = "Its header is not alg ES256, typ JWT and a kid, and nothing else."
    private static let length = "Its signature has not 64 bytes."

    /// Of the text.
    static let spellings = [
        BadToken("nothing", parts) { $0.respell = { _ in "" } },
        BadToken("two dots and nothing else", length) { $0.respell = { _ in ".." } },
        BadToken("17 KiB", "It is longer than 16384 bytes.") {
            $0.claims["name"] = "\"\(String(repeating: "a", count: 17 * 1024))\""
        },
        BadToken("a megabyte of dots", "It is longer than 16384 bytes.") {
            $0.respell = { _ in String(repeating: ".", count: 1 << 20) }
        },
        BadToken("a dot at the end", parts) { $0.respell = { $0 + "." } },
        BadToken("a dot at the beginning", parts) { $0.respell = { "." + $0 } },
        BadToken("a fourth part", parts) { $0.respell = { $0 + ".AAAA" } },
        BadToken("no signature and no dot before it", parts) {
            $0.respell = { $0.parts(by: ".").prefix(2).joined(separator: ".") }
        },
        BadToken("a letter behind the signature", length) { $0.respell = { $0 + "A" } },
        BadToken("a line end behind it", parts) { $0.respell = { $0 + "\n" } },
        BadToken("a space before it", parts) { $0.respell = { " " + $0 } },
        BadToken("a NUL behind it", parts) { $0.respell = { $0 + "\0" } },
        BadToken("a NUL within", parts) { $0.respell = { $0.replacing(".", with: "\0.", maxReplacements: 1) } },
        BadToken("a combining mark behind a dot", parts) {
            $0.respell = { $0.replacing(".", with: ".\u{301}", maxReplacements: 1) }
        },
        BadToken("padding", parts) { $0.respell = { $0 + "==" } },
        BadToken("the alphabet of base64", parts) {
            $0.claims["name"] = #""???>>>""#
            $0.respell = { $0.replacing("_", with: "/").replacing("-", with: "+") }
        },
        BadToken("bits that fill no byte", parts) {
            // 64 bytes leave four bits of the last letter.
            $0.respell = { $0.dropLast() + (["A": "B", "Q": "R", "g": "h", "w": "x"][$0.suffix(1)] ?? "") }
        },
        BadToken("claims that are not UTF-8", json) { $0.encodeClaims = { Array($0.utf8.dropLast()) + [0xFF, 0x7D] } },
        BadToken("claims in UTF-16", json) {
            $0.encodeClaims = { [UInt8]($0.data(using: .utf16LittleEndian) ?? Data()) }
        },
        BadToken("a byte order mark", json) { $0.encodeClaims = { [0xEF, 0xBB, 0xBF] + Array($0.utf8) } },
        BadToken("a NUL behind the claims", json) { $0.encodeClaims = { Array($0.utf8) + [0] } },
        BadToken("claims twice", json) { $0.encodeClaims = { Array($0.utf8) + Array($0.utf8) } },
        BadToken("claims in an array", json) { $0.encodeClaims = { Array("[\($0)]".utf8) } },
        BadToken("a comma behind the last claim", json) {
            $0.encodeClaims = { Array($0.utf8.dropLast()) + Array(",}".utf8) }
        },
        BadToken("no claims at all", json) { $0.encodeClaims = { _ in [] } },
        BadToken("a subject that stands there twice", json) { $0.claims.list.append(("sub", #""eve""#)) },
        BadToken("a subject twice, once with an escape", json) { $0.claims.list.append((#"su\u0062"#, #""eve""#)) },
        BadToken("an audience that stands there twice", json) {
            $0.claims.list.insert(("aud", #""https://wiki.example.com""#), at: 0)
        },
        BadToken("a raw NUL in the name", json) { $0.claims["name"] = "\"A\0da\"" },
        BadToken("arrays in arrays, a thousand deep", json) {
            $0.claims["x"] = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
        },
        BadToken("half a surrogate pair", json) { $0.claims["name"] = #""\ud800""# },
        BadToken("a name of combining marks", json) {
            $0.claims["name"] = "\"a\(String(repeating: "\u{301}", count: 1000))\""
        },
    ]

    /// Of the header.
    static let headers = [
        BadToken("alg none", header) { $0.header["alg"] = #""none""# },
        BadToken("alg none and no signature", length) {
            $0.header["alg"] = #""none""#
            $0.sign = { _, _ in [] }
        },
        BadToken("alg None", header) { $0.header["alg"] = #""None""# },
        BadToken("HS256 with the public key as secret", length) {
            $0.header["alg"] = #""HS256""#
            $0.sign = { key, text in
                let secret = SymmetricKey(data: Data(key.publicKey.pemRepresentation.utf8))
                return [UInt8](HMAC<SHA256>.authenticationCode(for: text, using: secret))
            }
        },
        BadToken("HS512 with the public key as secret", header) {
            $0.header["alg"] = #""HS512""#
            $0.sign = { key, text in
                let secret = SymmetricKey(data: Data(key.publicKey.pemRepresentation.utf8))
                return [UInt8](HMAC<SHA512>.authenticationCode(for: text, using: secret))
            }
        },
        BadToken("ES384", header) { $0.header["alg"] = #""ES384""# },
        BadToken("es256 in lower case", header) { $0.header["alg"] = #""es256""# },
        BadToken("no alg", header) { $0.header["alg"] = nil },
        BadToken("alg in an array", header) { $0.header["alg"] = #"["ES256"]"# },
        BadToken("alg twice", json) { $0.header.list.append(("alg", #""none""#)) },
        BadToken("kid twice", json) { $0.header.list.append(("kid", #""other""#)) },
        BadToken("no kid", header) { $0.header["kid"] = nil },
        BadToken("an empty kid", header) { $0.header["kid"] = #""""# },
        BadToken("a kid that is a number", header) { $0.header["kid"] = "1" },
        BadToken("a kid that is null", header) { $0.header["kid"] = "null" },
        BadToken("no typ", header) { $0.header["typ"] = nil },
        BadToken("the typ of an access token", header) { $0.header["typ"] = #""at+jwt""# },
        BadToken("jku", header) { $0.header["jku"] = #""https://evil.example/jwks.json""# },
        BadToken("jwk", header) { $0.header["jwk"] = $0.published.text },
        BadToken("x5u", header) { $0.header["x5u"] = #""https://evil.example/cert.pem""# },
        BadToken("x5c", header) { $0.header["x5c"] = #"["MIIB"]"# },
        BadToken("crit", header) { $0.header["crit"] = #"["exp"]"# },
        BadToken("b64", header) { $0.header["b64"] = "false" },
        BadToken("zip", header) { $0.header["zip"] = #""DEF""# },
        BadToken("cty, as if another token were within", header) { $0.header["cty"] = #""JWT""# },
    ]
}
