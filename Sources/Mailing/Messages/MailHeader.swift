import Essentials

/// One header line (RFC 5322, 2.2), folded at 76 characters and safe against injection.
enum MailHeader {
    /// Free text, such as a subject.
    static func unstructured(_ name: String, _ text: String) -> String {
        let clean = cleaned(text)
        let words = clean.parts(by: " ").filter { !$0.isEmpty }.map(String.init)
        let isPlain =
            clean.utf8.allSatisfy { $0 < 0x80 } && !clean.holds("=?") && words.allSatisfy { $0.utf8.count < 60 }
        return folded(name, isPlain ? words : EncodedWord.encode(clean))
    }

    /// A name and an address (RFC 5322, 3.4).
    static func mailbox(_ name: String, _ mailbox: MailAddress) -> String {
        guard let shown = mailbox.name else { return folded(name, [mailbox.address]) }
        return folded(name, phrase(cleaned(shown)) + ["<\(mailbox.address)>"])
    }

    /// A value of our own making, in pieces between which the line may be folded.
    static func folded(_ name: String, _ pieces: [String]) -> String {
        var lines = ["\(name):"]
        for piece in pieces.map(withoutControls) {
            if lines[lines.count - 1].utf8.count + 1 + piece.utf8.count > 76, lines != ["\(name):"] {
                lines.append("")
            }
            lines[lines.count - 1] += " \(piece)"
        }
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    private static func phrase(_ text: String) -> [String] {
        let isShortASCII = text.utf8.allSatisfy { $0 < 0x80 } && text.utf8.count < 60 && !text.holds("=?")
        guard isShortASCII else { return EncodedWord.encode(text) }
        let words = text.parts(by: " ").map(String.init)
        if words.allSatisfy({ $0.unicodeScalars.allSatisfy(\.isAtomText) }) { return words }
        let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return ["\"\(escaped)\""]
    }

    /// Controls become spaces, and spaces come one at a time and not at the ends.
    private static func cleaned(_ text: String) -> String {
        let spaced = text.unicodeScalars.map { $0.isUnsafeInHeader ? " " : String($0) }.joined()
        return spaced.parts(by: " ").filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func withoutControls(_ text: String) -> String {
        text.unicodeScalars.filter { !$0.isUnsafeInHeader }.map(String.init).joined()
    }
}
