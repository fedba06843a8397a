import Bytes
import Crypto
import Foundation

/// A file of a release. Beside it lie SHA256SUMS, as sha256sum writes it, and SHA256SUMS.sig.
struct ReleaseFile {
    private let file: URL

    init(path: String) {
        file = URL(filePath: path)
    }

    var name: String { file.lastPathComponent }

    /// Throws `CommandFailure` unless the file is what SHA256SUMS says, which the key has signed.
    func check(_ key: ReleaseKey) throws {
        let digest = try digest()
        let sums = try Self.text(of: beside("SHA256SUMS"))
        try key.check(Self.text(of: beside("SHA256SUMS.sig")), of: sums)
        // Two spaces, or a star for files that were read as bytes.
        let named = sums.textLines.compactMap { $0.before("  \(name)") ?? $0.before(" *\(name)") }
        guard !named.isEmpty else {
            throw CommandFailure(
                "SHA256SUMS of this release does not name \(name)",
                hint: "Has the file been renamed, or does it belong to another release?")
        }
        guard named.allSatisfy({ $0.isExactly(digest) }) else {
            throw CommandFailure(
                "\(name) is not the file that was released: its SHA-256 is \(digest), not \(named[0])",
                hint: "Do not install it. Get it again.")
        }
    }

    /// SHA-256 in hexadecimal, read in pieces: an image is larger than what should be in memory.
    private func digest() throws -> String {
        guard let handle = try? FileHandle(forReadingFrom: file) else { throw Self.unreadable(file.path) }
        defer { try? handle.close() }
        var hash = SHA256()
        do {
            while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { hash.update(data: piece) }
        } catch {
            throw Self.unreadable(file.path)
        }
        return Hex.text(hash.finalize())
    }

    private func beside(_ name: String) -> String {
        file.deletingLastPathComponent().appending(path: name).path
    }

    /// A small text of a release. Throws `CommandFailure` if it cannot be read.
    static func text(of path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path), let text = String(bytes: data, encoding: .utf8)
        else { throw unreadable(path) }
        return text
    }

    private static func unreadable(_ path: String) -> CommandFailure {
        CommandFailure(
            "\(path) cannot be read",
            hint: "Is it there? SHA256SUMS and SHA256SUMS.sig of the release must lie beside the file.")
    }
}
