import Bytes
import Crypto
import Foundation

/// A public key of signify (OpenBSD): Ed25519, with an id that its signatures name, too.
struct ReleaseKey {
    private let number: ArraySlice<UInt8>
    private let key: Curve25519.Signing.PublicKey

    /// Throws `CommandFailure` if the file cannot be read or is no key.
    init(file: String) throws {
        let failure = CommandFailure(
            "\(file) is no public key of signify", hint: "It has two lines; the second is the key.")
        guard let bytes = Self.decoded(try ReleaseFile.text(of: file), count: 2 + 8 + 32),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes[10...])
        else { throw failure }
        number = bytes[2..<10]
        self.key = key
    }

    /// The number that signify gave the key, in hexadecimal.
    var id: String { Hex.text(number) }

    /// Throws `CommandFailure` unless this key has signed the text.
    func check(_ signature: String, of text: String) throws {
        guard let bytes = Self.decoded(signature, count: 2 + 8 + 64) else {
            throw CommandFailure("SHA256SUMS.sig is no signature of signify", hint: "Get it again.")
        }
        guard bytes[2..<10] == number else {
            throw CommandFailure(
                "SHA256SUMS was signed with key \(Hex.text(bytes[2..<10])), not with \(id)",
                hint: "Is this the key of the releases? If it is, do not install the file.")
        }
        guard key.isValidSignature(Data(bytes[10...]), for: Data(text.utf8)) else {
            throw CommandFailure(
                "SHA256SUMS is not what key \(id) has signed", hint: "Do not install the file. Get all three again.")
        }
    }

    /// The second line, in base64, behind a comment that nothing vouches for. Nil unless it is
    /// Ed25519 ("Ed") and has that many bytes.
    private static func decoded(_ text: String, count: Int) -> [UInt8]? {
        let lines = text.textLines
        guard lines.count >= 2, lines[0].begins(with: "untrusted comment: "),
            let bytes = Base64.padded.decode(lines[1]), bytes.count == count, bytes.starts(with: "Ed".utf8)
        else { return nil }
        return bytes
    }
}
