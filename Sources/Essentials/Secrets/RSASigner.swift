import COpenSSL

/// Signs with an RSA key through OpenSSL, on the calling thread.
///
/// Not through BoringSSL, which takes more than twice as long on processors with AVX-512 IFMA.
package final class RSASigner: Sendable {
    /// OpenSSL does not take the key, or had no memory.
    package struct Failure: Error {}

    private let shared: vestibule_key

    /// With a key as PKCS #1 writes it (RFC 8017 appendix A.1.2).
    package init(_ bytes: [UInt8]) throws(Failure) {
        let key = bytes.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_PrivateKey(EVP_PKEY_RSA, nil, &next, bytes.count)
        }
        guard let key else { throw Failure() }
        shared = vestibule_key(key: key)
    }

    deinit { EVP_PKEY_free(shared.key) }

    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2); as many bytes as the modulus has.
    package func sign(_ message: [UInt8]) throws(Failure) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw Failure() }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(shared.key)))
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, shared.key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == signature.count
        else { throw Failure() }
        return signature
    }
}
