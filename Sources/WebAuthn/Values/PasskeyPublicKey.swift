/// The public key of a passkey, as it is stored.
public struct PasskeyPublicKey: Sendable, Equatable {
    /// By its number in COSE (RFC 9053, RFC 8812).
    public enum Algorithm: Int, Sendable, CaseIterable {
        /// ECDSA on P-256 with SHA-256.
        case es256 = -7
        /// Ed25519 and no other curve.
        case eddsa = -8
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256 = -257
    }

    /// What its signatures are made with.
    public let algorithm: Algorithm
    /// ES256: x and y, 32 bytes each. EdDSA: 32 bytes. RS256: the modulus, 256 to 512 bytes, and
    /// the exponent in 3 bytes.
    public let bytes: [UInt8]

    /// Returns nil if the length does not fit the algorithm, or an RSA key has zeros in front or an
    /// exponent that is even or 1. Whether a point is on its curve is seen when it verifies.
    public init?(algorithm: Algorithm, bytes: [UInt8]) {
        let fits =
            switch algorithm {
            case .es256: bytes.count == 64
            case .eddsa: bytes.count == 32
            case .rs256: Self.fitsRSA(bytes)
            }
        guard fits else { return nil }
        (self.algorithm, self.bytes) = (algorithm, bytes)
    }

    static let exponentCount = 3

    private static func fitsRSA(_ bytes: [UInt8]) -> Bool {
        guard (256...512).contains(bytes.count - exponentCount), bytes[0] != 0 else { return false }
        let exponent = bytes.suffix(exponentCount).reduce(0) { $0 << 8 | Int($1) }
        return exponent >= 3 && !exponent.isMultiple(of: 2)
    }
}
