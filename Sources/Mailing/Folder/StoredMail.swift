import Essentials

package import struct FoundationEssentials.Date

/// A mail read back from the outbox folder, for `/dev/mail`.
package struct StoredMail: Sendable, Equatable {
    /// The name of the file, without its folder.
    package let file: String
    package let subject: String
    package let to: String
    package let date: Date
    package let text: String
    package let html: String

    /// Reads the format `MailMessage.encoded` writes; `nil` for anything else.
    init?(file: String, bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).textLines
        let headers = Self.headers(lines.prefix { !$0.isEmpty })
        guard let date = MessageDate.date(fileName: file.parts(by: "-")[0]) else { return nil }
        guard let subject = headers["subject"], let to = headers["to"] else { return nil }
        self.file = file
        self.subject = EncodedWord.decode(subject)
        self.to = to
        self.date = date
        self.text = Self.part(0, of: lines)
        self.html = Self.part(1, of: lines)
    }

    private static func headers(_ lines: ArraySlice<Substring>) -> [String: String] {
        let unfolded = lines.reduce(into: [String]()) { unfolded, line in
            guard line.begins(with: " "), let last = unfolded.popLast() else { return unfolded.append(String(line)) }
            unfolded.append(last + line)
        }
        let pairs = unfolded.compactMap { line -> (String, String)? in
            let parts = line.parts(by: ":", atMost: 2)
            return parts.count == 2 ? (parts[0].asciiLowercased, parts[1].trimmingSpaces) : nil
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func part(_ number: Int, of lines: [Substring]) -> String {
        let opening = "--" + MailMessage.boundary
        let parts = lines.split(omittingEmptySubsequences: false) { $0.isExactly(opening) }.dropFirst()
        let part = parts.dropFirst(number).first?.prefix { !$0.begins(with: opening) } ?? []
        return QuotedPrintable.decode(part.drop { !$0.isEmpty }.dropFirst().map { $0 + "\r\n" }.joined())
    }
}
