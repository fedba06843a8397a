import CFido2

/// The public key of a passkey that was made just now, still in COSE (RFC 9052 section 7).
struct NewKey {
    private let attested: AuthenticatorData.Attested
    private let algorithm: PasskeyPublicKey.Algorithm

    /// Throws unless it is of an algorithm that is accepted and has all its members: libfido2 takes
    /// zeros for members that are missing.
    init(_ attested: AuthenticatorData.Attested) throws(WebAuthnRefusal) {
        let key = attested.key
        guard let algorithm = key[3]?.integer.flatMap(PasskeyPublicKey.Algorithm.init) else {
            throw .unsupportedAlgorithm
        }
        (self.attested, self.algorithm) = (attested, algorithm)
        // EdDSA is said of Ed448 as well.
        guard algorithm != .eddsa || key[-1] == .unsigned(6) else { throw .unsupportedAlgorithm }
        guard key[1] == .unsigned(kind), members.allSatisfy({ key[$0]?.bytes != nil }) else { throw .malformed }
    }

    /// The key as it is stored, read in authenticator data without extensions: libfido2 would judge
    /// them. Throws `WebAuthnRefusal.wrongKey` if it is none.
    func read(in data: [UInt8]) throws -> PasskeyPublicKey {
        if algorithm == .rs256, attested.key[-1]?.bytes?.count != RSAKey.libfido2Count {
            return try RSAKey.read(attested.key)
        }
        guard let bytes = try readByLibrary(data), let key = PasskeyPublicKey(algorithm: algorithm, bytes: bytes) else {
            throw WebAuthnRefusal.wrongKey
        }
        return key
    }

    /// The key type (RFC 9053 section 7, RFC 8230 section 4).
    private var kind: UInt64 {
        switch algorithm {
        case .eddsa: 1
        case .es256: 2
        case .rs256: 3
        }
    }

    /// What makes the key: a coordinate, two of them, or modulus and exponent.
    private var members: [Int] {
        switch algorithm {
        case .eddsa: [-2]
        case .es256: [-2, -3]
        case .rs256: [-1, -2]
        }
    }

    private func readByLibrary(_ data: [UInt8]) throws(FidoLibrary.Missing) -> [UInt8]? {
        try FidoLibrary.load()
        let number = Int32(algorithm.rawValue)
        guard let credential = vestibule_fido_cred_make() else { throw FidoLibrary.Missing() }
        defer { vestibule_fido_cred_free(credential) }
        guard vestibule_fido_cred_set_type(credential, number) == 0,
            vestibule_fido_cred_set_data(credential, data, data.count) == 0,
            bytes(by: { vestibule_fido_cred_id(credential, $0) }) == attested.id,
            let bytes = bytes(by: { vestibule_fido_cred_key(credential, $0) }),
            // Whether the point is on the curve.
            let key = vestibule_fido_key_make(number, bytes, bytes.count)
        else { return nil }
        vestibule_fido_key_free(number, key)
        return bytes
    }

    private func bytes(by ask: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>?) -> [UInt8]? {
        var count = 0
        return ask(&count).map { Array(UnsafeBufferPointer(start: $0, count: count)) }
    }
}
