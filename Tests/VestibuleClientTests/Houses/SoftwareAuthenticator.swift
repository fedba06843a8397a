import Crypto
import Foundation
import VestibuleClient

/// An authenticator with one passkey (ES256), as a phone has it: user verified, synced.
struct SoftwareAuthenticator {
    let origin: String
    private let id = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
    private let key = P256.Signing.PrivateKey()

    func register(_ request: PasskeyRequest) throws -> PasskeyCredential {
        let point = key.publicKey.rawRepresentation
        // COSE: kty EC2, alg ES256, crv P-256, x, y.
        var cose: [UInt8] = [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
        cose += point.prefix(32)
        cose += [0x22, 0x58, 0x20]
        cose += point.suffix(32)
        var data = fixed(request, 0x5D)
        data += [UInt8](repeating: 0, count: 16) + [0, UInt8(id.count)]
        data += id
        data += cose
        // {"fmt": "none", "attStmt": {}, "authData": data}
        var object: [UInt8] = [0xA3]
        object += Array("cfmtdnonegattStmt".utf8)
        object += [0xA0]
        object += Array("hauthData".utf8)
        object += [0x58, UInt8(data.count)]
        object += data
        return PasskeyCredential(
            id: id, clientDataJSON: client("webauthn.create", request), attestationObject: Data(object))
    }

    func sign(_ request: PasskeyRequest, as owner: Data?) throws -> PasskeyCredential {
        let (client, data) = (client("webauthn.get", request), Data(fixed(request, 0x1D)))
        let signature = try key.signature(for: data + Data(SHA256.hash(data: client)))
        return PasskeyCredential(
            id: id, clientDataJSON: client, authenticatorData: data, signature: signature.derRepresentation,
            userHandle: owner)
    }

    private func client(_ type: String, _ request: PasskeyRequest) -> Data {
        let challenge = request.challenge.base64EncodedString().map {
            switch $0 {
            case "+": "-"
            case "/": "_"
            case "=": ""
            default: String($0)
            }
        }.joined()
        return Data(
            #"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":false}"#.utf8)
    }

    private func fixed(_ request: PasskeyRequest, _ flags: UInt8) -> [UInt8] {
        Array(SHA256.hash(data: Data(request.relyingParty.utf8))) + [flags, 0, 0, 0, 0]
    }
}
