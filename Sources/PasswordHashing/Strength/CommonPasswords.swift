import Bytes
import Crypto

/// Passwords that many people have and that the estimate lets pass: the first eight bytes of the
/// SHA-256 of each, its ASCII letters in lower case.
package struct CommonPasswords: Sendable {
    /// How many tries find any of the 40,000 commonest, as a power of ten.
    static let guessesLog10 = 4.6
    /// Sorted. A set would take twice the memory, and longer to fill at each start.
    private let digests: [UInt64]

    /// Why a text is no list of them.
    package struct Fault: Error {
        package let reason: String
    }

    /// Throws if a line is neither sixteen hexadecimal digits nor empty nor begins with `#`, and if
    /// no line has digits.
    package init(lines: String) throws(Fault) {
        var (lines, digests) = (lines, [UInt64]())
        let wrong = lines.withUTF8 { bytes -> Int? in
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
                guard !line.isEmpty, line.first != UInt8(ascii: "#") else { continue }
                guard let digest = Self.digest(line) else { return index + 1 }
                digests.append(digest)
            }
            return nil
        }
        if let wrong { throw Fault(reason: "line \(wrong) is not sixteen hexadecimal digits") }
        guard !digests.isEmpty else { throw Fault(reason: "there is no password in it") }
        self.digests = digests.sorted()
    }

    /// Without any.
    package init() {
        digests = []
    }

    private static func digest(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
        guard digits.count == 16 else { return nil }
        var digest: UInt64 = 0
        for digit in digits {
            guard let value = Hex.value(digit) else { return nil }
            digest = digest << 4 | UInt64(value)
        }
        return digest
    }

    func contains(_ password: Password) -> Bool {
        guard !digests.isEmpty else { return false }
        var hash = SHA256()
        password.withUnsafeBytes { bytes in
            hash.update(data: bytes.map(\.asciiLowercased))
        }
        return holds(hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    private func holds(_ digest: UInt64) -> Bool {
        var (start, end) = (0, digests.count)
        while start < end {
            let middle = (start + end) / 2
            if digests[middle] == digest { return true }
            if digests[middle] < digest { start = middle + 1 } else { end = middle }
        }
        return false
    }
}
