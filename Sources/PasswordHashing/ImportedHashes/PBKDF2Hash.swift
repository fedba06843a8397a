import Bytes

/// A PBKDF2 hash (RFC 8018 section 5.2) of passlib, Django or a PHC string, verified by OpenSSL.
struct PBKDF2Hash: ImportedHash {
    /// The hash function under the HMAC.
    enum Digest: Int {
        case sha1 = 20
        case sha256 = 32
        case sha512 = 64

        /// Length of its output, and of a stored hash: more would cost the verifier again as much,
        /// and no guesser.
        var bytes: Int { rawValue }
    }

    private let digest: Digest
    private let iterations: Int
    private let salt: [UInt8]
    private let tag: [UInt8]

    func isMade(by password: Password) throws -> Bool {
        let made = try Derivation.pbkdf2(password, salt: salt, digest: digest, iterations: iterations)
        return ConstantTime.equal(made, tag)
    }
}

extension PBKDF2Hash {
    /// `$pbkdf2-sha256$29000$salt$hash` of passlib, or `$pbkdf2-sha256$i=600000,l=32$salt$hash`,
    /// `l` optional.
    init(modular text: HashText) throws(ImportedHashRefusal) {
        guard text.fields.count == 5 else { throw .malformed("PBKDF2") }
        let digest: Digest = text.scheme == "$pbkdf2" ? .sha1 : text.scheme == "$pbkdf2-sha256" ? .sha256 : .sha512
        let field = text.fields[2]
        let ofPHC =
            HashText.numbers(field, "i")
            ?? HashText.numbers(field, "i", "l").flatMap { $0[1] == digest.bytes ? $0 : nil }
        let base64: Base64 = ofPHC == nil ? .dotted : .bare
        guard let iterations = ofPHC?.first ?? HashText.number(field), let salt = base64.decode(text.fields[3]) else {
            throw .malformed("PBKDF2")
        }
        try self.init(digest, iterations: iterations, salt: salt, tag: base64.decode(text.fields[4]))
    }

    /// `pbkdf2_sha256$1000000$salt$hash`, the salt as it stands.
    init(django text: HashText) throws(ImportedHashRefusal) {
        guard text.fields.count == 4, let iterations = HashText.number(text.fields[1]) else {
            throw .malformed("PBKDF2")
        }
        try self.init(
            text.scheme == "pbkdf2_sha1" ? .sha1 : .sha256, iterations: iterations, salt: Array(text.fields[2].utf8),
            tag: Base64.padded.decode(text.fields[3])
        )
    }

    private init(
        _ digest: Digest, iterations: Int, salt: [UInt8], tag: [UInt8]?
    ) throws(ImportedHashRefusal) {
        let bounds = ImportedHashBounds.pbkdf2Iterations
        guard let tag, tag.count == digest.bytes, (1...128).contains(salt.count) else { throw .malformed("PBKDF2") }
        guard bounds.contains(iterations) else {
            throw .outOfBounds("PBKDF2", allowed: "\(bounds.lowerBound) to \(bounds.upperBound) iterations")
        }
        (self.digest, self.iterations, self.salt, self.tag) = (digest, iterations, salt, tag)
    }
}
