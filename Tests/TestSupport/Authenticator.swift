package import Crypto
import Essentials

/// An authenticator with one passkey (ES256), and the browser before it. Everything it says can be
/// changed.
package struct Authenticator: Sendable {
    /// By which it knows the account; nil says nothing about that.
    package var handle: [UInt8]? = [UInt8](repeating: 9, count: 64)

    package var relyingParty = "login.example.com"
    package var origin = "https://login.example.com"
    /// A person was there and verified; eligible for backup, and backed up.
    package var flags: UInt8 = 0x1D
    package var count: UInt32 = 7
    package var id = [UInt8](1...32)
    package var type: String?
    /// JSON behind the origin.
    package var more = #","crossOrigin":false"#
    package var statement = CBOR.map()
    package var extensions: [UInt8] = []
    package var trailing: [UInt8] = []
    package var transports: [String] = []
    /// Another COSE key than the own one.
    package var cose: [UInt8]?
    package let key = P256.Signing.PrivateKey()

    package init() {}

    package var ownKey: [UInt8] {
        let point = [UInt8](key.publicKey.rawRepresentation)
        return CBOR.map(
            (CBOR.integer(1), CBOR.integer(2)), (CBOR.integer(3), CBOR.integer(-7)),
            (CBOR.integer(-1), CBOR.integer(1)),
            (CBOR.integer(-2), CBOR.bytes(Array(point[..<32]))), (CBOR.integer(-3), CBOR.bytes(Array(point[32...]))))
    }

    package func registration(_ challenge: [UInt8]) -> Message {
        let attested = [UInt8](repeating: 0xAA, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 0xFF)] + id
        let data = fixed(0x40) + attested + (cose ?? ownKey) + extensions + trailing
        let object = CBOR.map(
            (CBOR.text("fmt"), CBOR.text("none")), (CBOR.text("attStmt"), statement),
            (CBOR.text("authData"), CBOR.bytes(data)))
        return registration(challenge, object: object)
    }

    /// With that for an attestation object.
    package func registration(_ challenge: [UInt8], object: [UInt8]) -> Message {
        message(
            Message.Response(
                clientDataJSON: Base64URL.encode(clientData("webauthn.create", challenge)),
                attestationObject: Base64URL.encode(object), transports: transports))
    }

    package func assertion(_ challenge: [UInt8]) throws -> Message {
        let client = clientData("webauthn.get", challenge)
        let data = fixed(0) + extensions + trailing
        let signature = try key.signature(for: data + Array(SHA256.hash(data: client)))
        return message(
            Message.Response(
                clientDataJSON: Base64URL.encode(client), authenticatorData: Base64URL.encode(data),
                signature: Base64URL.encode(signature.derRepresentation),
                userHandle: handle.map { Base64URL.encode($0) }))
    }

    private func message(_ response: Message.Response) -> Message {
        Message(id: Base64URL.encode(id), rawId: Base64URL.encode(id), response: response)
    }

    private func clientData(_ usual: String, _ challenge: [UInt8]) -> [UInt8] {
        let challenge = Base64URL.encode(challenge)
        return Array(#"{"type":"\#(type ?? usual)","challenge":"\#(challenge)","origin":"\#(origin)"\#(more)}"#.utf8)
    }

    private func fixed(_ contents: UInt8) -> [UInt8] {
        let hash = Array(SHA256.hash(data: Array(relyingParty.utf8)))
        let flags = self.flags | contents | (extensions.isEmpty ? 0 : 0x80)
        return hash + [flags] + withUnsafeBytes(of: count.bigEndian, Array.init)
    }
}
