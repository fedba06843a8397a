public import Bytes
import Foundation

/// A password as somebody typed it, in NFC (NIST SP 800-63B-4 section 3.1.1.2) and never trimmed.
public struct Password: Secret, Sendable {
    /// Most UTF-8 bytes a password may have, so that nobody buys work with length.
    static let maximumBytes = 1_024

    /// Length as people count it for the policy: Unicode code points after NFC.
    let codePoints: Int

    private let utf8: [UInt8]

    /// Composing takes quadratic time on crafted marks, and shortens to no less than a third:
    /// beyond this many bytes a password is too long whatever becomes of it, so it is left as it
    /// is.
    private static let composedBytes = 4 * maximumBytes

    /// Composes it; any text is a password.
    public init(_ typed: String) {
        let composed = typed.utf8.count > Self.composedBytes ? typed : typed.precomposedStringWithCanonicalMapping
        codePoints = composed.unicodeScalars.count
        utf8 = Array(composed.utf8)
    }

    /// The part that is estimated.
    var beginning: Beginning {
        // Four bytes are the most a code point has.
        let text = String(decoding: utf8.prefix(4 * Beginning.codePoints), as: UTF8.self)
        return Beginning(scalars: Array(text.unicodeScalars.prefix(Beginning.codePoints)))
    }

    /// Length in UTF-8 bytes.
    package var byteCount: Int { utf8.count }

    /// Lends the UTF-8 bytes; they are not terminated and may contain NUL.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try utf8.withUnsafeBytes(body)
    }

    /// Whether both are the same password; takes the same time wherever they differ.
    package func matches(_ other: Password) -> Bool {
        ConstantTime.equal(utf8, other.utf8)
    }
}
