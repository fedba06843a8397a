import Crypto
import CryptoExtras
import Essentials
import Foundation

/// A key that signs assertions and ID tokens.
struct SigningKey: Secret, Sendable {
    let id: String
    private let key: Key

    private enum Key: Sendable {
        /// RFC 7518 section 3.4.
        case es256(P256.Signing.PrivateKey)
        /// RFC 7518 section 3.3.
        case rs256(_RSA.Signing.PrivateKey, RSASigner)

        static func rs256(_ key: _RSA.Signing.PrivateKey) throws -> Key {
            try .rs256(key, RSASigner([UInt8](key.derRepresentation)))
        }
    }

    /// A new one. An RSA key takes some hundred milliseconds of processor time, which no event loop
    /// waits for.
    static func make(_ algorithm: SigningAlgorithm) async throws -> SigningKey {
        switch algorithm {
        case .es256: return try SigningKey(.es256(P256.Signing.PrivateKey()))
        case .rs256:
            let key = try await offEventLoop { Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) } }.get()
            return try SigningKey(.rs256(key))
        }
    }

    private init(_ key: Key) throws {
        self.key = key
        id = try Self.publicKey(of: key).kid
    }

    /// Opens a stored key. Throws when neither the current nor the previous secret key sealed it
    /// for its id.
    init(_ stored: StoredSigningKey, key: SecretKey) throws {
        let bytes = try key.open(stored.sealed, for: .signingKey(id: stored.id))
        switch stored.algorithm {
        case .es256: try self.init(.es256(P256.Signing.PrivateKey(rawRepresentation: bytes)))
        case .rs256: try self.init(.rs256(_RSA.Signing.PrivateKey(derRepresentation: bytes)))
        }
    }

    func stored(sealedBy secretKey: SecretKey, createdAt: Date, signsFrom: Date) throws -> StoredSigningKey {
        let bytes =
            switch key {
            case .es256(let key): key.rawRepresentation
            case .rs256(let key, _): key.derRepresentation
            }
        return StoredSigningKey(
            id: id, sealed: try secretKey.seal([UInt8](bytes), for: .signingKey(id: id)), createdAt: createdAt,
            signsFrom: signsFrom, algorithm: algorithm)
    }

    var algorithm: SigningAlgorithm {
        switch key {
        case .es256: .es256
        case .rs256: .rs256
        }
    }

    var publicKey: PublicKey { get throws { try Self.publicKey(of: key) } }

    private static func publicKey(of key: Key) throws -> PublicKey {
        switch key {
        case .es256(let key): PublicKey(key.publicKey)
        case .rs256(let key, _): try PublicKey(key.publicKey)
        }
    }

    /// A token with those claims, as JSON (RFC 7515 section 7.1).
    func sign(_ claims: [UInt8], type: String) throws -> String {
        let header = #"{"alg":"\#(algorithm.rawValue)","kid":"\#(id)","typ":"\#(type)"}"#
        let message = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(claims)
        let bytes = Array(message.utf8)
        let signature =
            switch key {
            case .es256(let key): [UInt8](try key.signature(for: bytes).rawRepresentation)
            case .rs256(_, let signer): try signer.sign(bytes)
            }
        return message + "." + Base64URL.encode(signature)
    }

    /// Whether this key has made that signature.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch key {
        case .es256(let key):
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            return signature.map { key.publicKey.isValidSignature($0, for: message) } ?? false
        case .rs256(let key, _):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.publicKey.isValidSignature(signature, for: message, padding: .insecurePKCS1v1_5)
        }
    }

    /// What everybody may know of it, as a JSON Web Key (RFC 7517, RFC 7518 section 6). The members
    /// of another kind of key are nil.
    struct PublicKey: Sendable, Encodable {
        let kty: String
        private(set) var crv, x, y: String?
        private(set) var n, e: String?
        let use = "sig"
        let alg: SigningAlgorithm
        /// Its thumbprint (RFC 7638): of the required members, in this order, without white space.
        let kid: String

        init(_ key: P256.Signing.PublicKey) {
            let point = [UInt8](key.rawRepresentation)
            let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
            kid = Self.thumbprint(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#)
            (kty, alg, crv, self.x, self.y) = ("EC", .es256, "P-256", x, y)
        }

        init(_ key: _RSA.Signing.PublicKey) throws {
            let numbers = try key.getKeyPrimitives()
            let n = Base64URL.encode([UInt8](numbers.modulus).drop { $0 == 0 })
            let e = Base64URL.encode([UInt8](numbers.publicExponent).drop { $0 == 0 })
            kid = Self.thumbprint(#"{"e":"\#(e)","kty":"RSA","n":"\#(n)"}"#)
            (kty, alg, self.n, self.e) = ("RSA", .rs256, n, e)
        }

        private static func thumbprint(_ members: String) -> String {
            Base64URL.encode(SHA256.hash(data: Array(members.utf8)))
        }
    }
}

extension SigningAlgorithm: Encodable {}
