import COpenSSL

/// Keys from passwords through OpenSSL, on the calling thread.
enum Derivation {
    /// OpenSSL refused: there was no memory.
    struct Failure: Error {}

    /// scrypt (RFC 7914).
    static func scrypt(
        _ password: Password, salt: [UInt8], parameters: ScryptParameters, bytes: Int
    ) throws(Failure) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: bytes)
        // OpenSSL counts the lanes' blocks and two to work in besides.
        let most = UInt64(parameters.memoryBytes + 128 * parameters.blockSize * (parameters.lanes + 2))
        let result = withCharacters(of: password) { password, count in
            EVP_PBE_scrypt(
                password, count, salt, salt.count, UInt64(parameters.cost), UInt64(parameters.blockSize),
                UInt64(parameters.lanes), most, &key, bytes
            )
        }
        guard result == 1 else { throw Failure() }
        return key
    }

    /// PBKDF2 with HMAC (RFC 8018 section 5.2); as many bytes as the digest has.
    static func pbkdf2(
        _ password: Password, salt: [UInt8], digest: PBKDF2Hash.Digest, iterations: Int
    ) throws(Failure) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: digest.bytes)
        let function =
            switch digest {
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            case .sha512: EVP_sha512()
            }
        let result = withCharacters(of: password) { password, count in
            PKCS5_PBKDF2_HMAC(
                password, Int32(count), salt, Int32(salt.count), Int32(iterations), function, Int32(digest.bytes), &key
            )
        }
        guard result == 1 else { throw Failure() }
        return key
    }

    /// AES-256 in counter mode from zero (NIST SP 800-38A section 6.5).
    static func aes256CTR(_ plain: [UInt8], key: [UInt8]) throws(Failure) -> [UInt8] {
        guard let context = EVP_CIPHER_CTX_new() else { throw Failure() }
        defer { EVP_CIPHER_CTX_free(context) }
        let counter = [UInt8](repeating: 0, count: 16)
        var cipher = [UInt8](repeating: 0, count: plain.count)
        var count: Int32 = 0
        guard EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nil, key, counter) == 1,
            EVP_EncryptUpdate(context, &cipher, &count, plain, Int32(plain.count)) == 1, Int(count) == plain.count
        else { throw Failure() }
        return cipher
    }

    private static func withCharacters(
        of password: Password, _ body: (UnsafePointer<CChar>?, Int) -> Int32
    ) -> Int32 {
        password.withUnsafeBytes { body($0.bindMemory(to: CChar.self).baseAddress, $0.count) }
    }
}
