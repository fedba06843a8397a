package import struct FoundationEssentials.Date

/// A mail read back from the outbox folder, for `/dev/mail`.
package struct StoredMail: Sendable, Equatable {
    /// The name of the file, without its folder.
    package let file: String
    package let subject: String
    package let to: String
    package let date: Date
    package let text: String

    /// Reads the format `MailMessage.encoded` writes; `nil` for anything else.
    init?(file: String, bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        let headers = Self.headers(lines.prefix { !$0.isEmpty })
        guard let date = MailDates.date(fileName: file.prefix { $0 != "-" }) else { return nil }
        guard let subject = headers["subject"], let to = headers["to"] else { return nil }
        self.file = file
        self.subject = EncodedWord.decode(subject)
        self.to = to
        self.date = date
        self.text = Self.firstPart(lines)
    }

    private static func headers(_ lines: ArraySlice<Substring>) -> [String: String] {
        let unfolded = lines.joined(separator: "\r\n").replacing("\r\n ", with: " ").split(separator: "\r\n")
        let pairs = unfolded.compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingSpaces)
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func firstPart(_ lines: [Substring]) -> String {
        let opening = "--" + MailMessage.boundary
        let part = lines.drop { $0 != opening }.dropFirst().prefix { !$0.hasPrefix(opening) }
        return QuotedPrintable.decode(part.drop { !$0.isEmpty }.dropFirst().map { $0 + "\r\n" }.joined())
    }
}
