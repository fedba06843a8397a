import Bytes
import Crypto

/// What the browser says of a ceremony, and the authenticator signs (WebAuthn section 5.8.1).
struct ClientData {
    enum Kind: String {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    private let members: [String: JSONValue]
    /// SHA-256 of the bytes as they came.
    let hash: [UInt8]

    init(_ bytes: [UInt8]) throws(WebAuthnRefusal) {
        hash = Array(SHA256.hash(data: bytes))
        // The standard decodes as browsers do, without the mark of UTF-8.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        members = try JSONObject.members(of: text)
    }

    /// The challenge it names.
    var claimedChallenge: [UInt8]? {
        guard case .string(let text) = members["challenge"] else { return nil }
        return Base64URL.decode(text)
    }

    func check(
        _ kind: Kind, challenge: WebAuthnChallenge, relyingParty: RelyingParty
    ) throws(WebAuthnRefusal) {
        guard case .string(let type) = members["type"], case .string(let signed) = members["challenge"],
            case .string(let origin) = members["origin"]
        else { throw .malformed }
        guard type.isExactly(kind.rawValue) else { throw .wrongType }
        guard ConstantTime.equal(Array(signed.utf8), Array(Base64URL.encode(challenge.bytes).utf8)) else {
            throw .wrongChallenge
        }
        guard origin.isExactly(relyingParty.origin) else { throw .wrongOrigin }
        try checkFrame(of: relyingParty)
    }

    /// Nobody else's page may frame ours, so a response from a frame is not ours.
    private func checkFrame(of relyingParty: RelyingParty) throws(WebAuthnRefusal) {
        switch members["crossOrigin"] {
        case nil, .bool(false): break
        case .bool(true): throw .crossOrigin
        default: throw .malformed
        }
        switch members["topOrigin"] {
        case nil: break
        case .string(let top):
            guard top.isExactly(relyingParty.origin) else { throw .crossOrigin }
        default: throw .malformed
        }
    }
}
