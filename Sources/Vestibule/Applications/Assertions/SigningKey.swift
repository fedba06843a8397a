import Crypto
import Essentials
import Foundation

/// A P-256 key that signs assertions with ES256 (RFC 7518 section 3.4).
struct SigningKey: Secret, Sendable {
    let id: String
    let key: P256.Signing.PrivateKey

    init() {
        self.init(P256.Signing.PrivateKey())
    }

    private init(_ key: P256.Signing.PrivateKey) {
        self.key = key
        id = PublicKey(key.publicKey).kid
    }

    /// Opens a stored key. Throws when neither the current nor the previous secret key sealed it
    /// for its id.
    init(_ stored: StoredSigningKey, key: SecretKey) throws {
        let bytes = try key.open(stored.sealed, for: .signingKey(id: stored.id))
        self.init(try P256.Signing.PrivateKey(rawRepresentation: bytes))
    }

    func stored(sealedBy secretKey: SecretKey, createdAt: Date, signsFrom: Date) throws -> StoredSigningKey {
        StoredSigningKey(
            id: id, sealed: try secretKey.seal([UInt8](key.rawRepresentation), for: .signingKey(id: id)),
            createdAt: createdAt, signsFrom: signsFrom)
    }

    var publicKey: PublicKey { PublicKey(key.publicKey) }

    /// What everybody may know of it, as a JSON Web Key (RFC 7517, RFC 7518 section 6.2.1).
    struct PublicKey: Sendable, Encodable {
        let kty = "EC"
        let crv = "P-256"
        let x, y: String
        let use = "sig"
        let alg = "ES256"
        /// Its thumbprint (RFC 7638).
        let kid: String

        init(_ key: P256.Signing.PublicKey) {
            let point = [UInt8](key.rawRepresentation)
            let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
            // RFC 7638 section 3: the required members in this order, without white space.
            let members = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
            kid = Base64URL.encode(SHA256.hash(data: Array(members.utf8)))
            (self.x, self.y) = (x, y)
        }
    }
}
