import Bytes
import Crypto

/// Passwords that many people have and that the estimate lets pass: the first eight bytes of the
/// SHA-256 of each, its ASCII letters in lower case.
package struct CommonPasswords: Sendable {
    /// How many tries find any of the 40,000 commonest, as a power of ten.
    static let guessesLog10 = 4.6
    private let digests: Set<UInt64>

    /// Returns nil if a line is neither sixteen hexadecimal digits nor empty nor begins with `#`.
    package init?(lines: String) {
        var digests: Set<UInt64> = []
        for line in lines.parts(by: "\n") where !line.isEmpty && !line.begins(with: "#") {
            let digits = line.utf8.compactMap(Hex.value)
            guard line.utf8.count == 16, digits.count == 16 else { return nil }
            digests.insert(digits.reduce(0) { $0 << 4 | UInt64($1) })
        }
        self.digests = digests
    }

    /// Without any.
    package init() {
        digests = []
    }

    func contains(_ password: Password) -> Bool {
        guard !digests.isEmpty else { return false }
        var hash = SHA256()
        password.withUnsafeBytes { bytes in
            hash.update(data: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        }
        return digests.contains(hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
