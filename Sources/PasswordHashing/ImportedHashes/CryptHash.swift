import Bytes
import CCrypt
import Crypto

/// A hash in a form of crypt(3), verified by libxcrypt.
struct CryptHash: ImportedHash {
    /// What of a password is hashed.
    enum Phrase {
        case whole
        /// bcrypt reads no more; libraries cut the rest off without a word.
        case first72Bytes
        /// Django's way past that limit.
        case hexSHA256
    }

    /// libxcrypt had no memory.
    struct Failure: Error {}

    private let stored: String
    private let phrase: Phrase

    /// The text must be one of crypt(3), its parameters within bounds.
    init(checked stored: String, phrase: Phrase = .whole) {
        self.stored = stored
        self.phrase = phrase
    }

    func isMade(by password: Password) throws -> Bool {
        // C would see a password end at its NUL, and libxcrypt takes none this long: neither can
        // have been hashed.
        let phrase = bytes(of: password)
        guard !phrase.contains(0), phrase.count < Int(CRYPT_MAX_PASSPHRASE_SIZE) else { return false }
        var made = [CChar](repeating: 0, count: Int(CRYPT_OUTPUT_SIZE))
        let failure = vestibule_crypt(phrase.map(CChar.init(bitPattern:)) + [0], stored, &made)
        guard failure != ENOMEM else { throw Failure() }
        let text = made.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return failure == 0 && ConstantTime.equal(text, Array(stored.utf8))
    }

    private func bytes(of password: Password) -> [UInt8] {
        password.withUnsafeBytes { bytes in
            switch phrase {
            case .whole: Array(bytes)
            case .first72Bytes: Array(bytes.prefix(72))
            case .hexSHA256: Array(Hex.text(SHA256.hash(data: bytes)).utf8)
            }
        }
    }
}
