import Essentials
import Foundation

/// One `locales/CODE.json`: sentences in nested objects, each with the line it stands on.
package struct LanguageFile: Sendable {
    struct Sentence: Sendable {
        let text: String
        let line: Int
    }

    let path: String
    let code: String
    /// By dotted key.
    let sentences: [String: Sentence]

    /// Throws `TemplateFault` with file, line and reason for anything else than sentences in nested
    /// objects.
    init(_ file: URL, code: String) throws(TemplateFault) {
        path = file.path
        self.code = code
        guard Self.isCode(code) else {
            throw TemplateFault("\(path): a language file has the name of its language, such as fr.json or pt-br.json")
        }
        // Without the byte order mark that editors of Windows begin a file with.
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw TemplateFault("\(path) cannot be read, or is not UTF-8")
        }
        // What a shell has just made for `--missing fr > fr.json` to be written to.
        guard !text.isEmpty else {
            sentences = [:]
            return
        }
        var reader = SentenceReader(Array(text.utf8))
        do {
            sentences = try reader.read()
        } catch {
            let reason = (error as? SentenceReader.Fault)?.reason ?? "is not JSON"
            throw TemplateFault("\(path) \(reason): see line \(reader.line())")
        }
    }

    /// Whether the sentence of that key is empty where the English one is not: it counts as
    /// missing.
    func isEmpty(_ key: String, english: LanguageFile) -> Bool {
        sentences[key]?.text.trimmingASCIIWhitespace.isEmpty == true && english.sentences[key]?.text.isEmpty != true
    }

    /// Letters, digits and hyphens, two or three letters first (RFC 5646).
    package static func isCode(_ code: String) -> Bool {
        let parts = code.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isWord = parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(\.isASCIILetterOrDigit) }
        return isWord && (2...3).contains(parts[0].count) && !parts[0].contains(where: \.isASCIIDigit)
    }
}

/// Reads nested objects of sentences and remembers lines.
private struct SentenceReader {
    struct Fault: Error {
        let reason: String
    }

    private var parser: JSONParser
    private var sentences: [String: LanguageFile.Sentence] = [:]
    private var counted = 0
    private var linesCounted = 0
    private static let broken = Fault(reason: "is not JSON")

    init(_ bytes: [UInt8]) {
        parser = JSONParser(bytes: bytes)
    }

    /// The line that is being read, from 1; counts on from where it was asked last.
    mutating func line() -> Int {
        while counted < parser.position {
            if parser.bytes[counted] == UInt8(ascii: "\n") { linesCounted += 1 }
            counted += 1
        }
        return 1 + linesCounted
    }

    mutating func read() throws -> [String: LanguageFile.Sentence] {
        // One for each line, but for those that open and close objects.
        sentences.reserveCapacity(parser.bytes.count { $0 == UInt8(ascii: "\n") })
        parser.skipSpace()
        try object("", depth: 0)
        parser.skipSpace()
        guard parser.next == nil else { throw Self.broken }
        return sentences
    }

    private mutating func object(_ prefix: String, depth: Int) throws {
        guard depth < 8 else { throw Fault(reason: "is nested too deeply") }
        try parser.take("{")
        parser.skipSpace()
        var isFirst = true
        while parser.next != UInt8(ascii: "}") {
            if !isFirst { try parser.take(",") }
            isFirst = false
            parser.skipSpace()
            let name = try parser.string()
            parser.skipSpace()
            try parser.take(":")
            parser.skipSpace()
            try member(prefix + name, depth: depth)
            parser.skipSpace()
        }
        try parser.take("}")
    }

    private mutating func member(_ key: String, depth: Int) throws {
        switch parser.next {
        case UInt8(ascii: "{"): try object(key + ".", depth: depth + 1)
        case UInt8(ascii: "\""):
            let line = line()
            let sentence = LanguageFile.Sentence(text: try parser.string(), line: line)
            guard sentences.updateValue(sentence, forKey: key) == nil else {
                throw Fault(reason: "has \(key) twice")
            }
        case nil: throw Self.broken
        default: throw Fault(reason: "has something else than a sentence in quotes at \(key)")
        }
    }
}
