import Essentials
import Foundation

/// stdout: data only, written in large pieces; to be flushed in the end.
final class Output {
    private var waiting: [UInt8] = []
    private static let piece = 65_536

    init() {
        // A reader that has read enough ends the pipe: then a write fails, and `ClosedPipe` ends
        // the command.
        signal(SIGPIPE, SIG_IGN)
    }

    func line(_ text: String) throws {
        waiting.append(contentsOf: text.utf8)
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= Self.piece { try flush() }
    }

    /// Writes raw bytes at once.
    func bytes(_ bytes: Data) throws {
        waiting.append(contentsOf: bytes)
        try flush()
    }

    /// Writes one line at once.
    static func print(_ text: String) throws {
        let output = Output()
        try output.line(text)
        try output.flush()
    }

    /// One object on one line: keys in snake case and in order, moments in ISO 8601 and UTC.
    func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try line(Printable.json(String(decoding: encoder.encode(value), as: UTF8.self)))
    }

    func flush() throws {
        var rest = waiting[...]
        waiting = []
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw errno == EPIPE ? ClosedPipe() : Self.fault() }
            rest = rest.dropFirst(count)
        }
    }

    /// Throws `ClosedPipe` when nobody reads stdout any more: for a command that may have nothing
    /// to write for long.
    static func checkReader() throws {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        guard poll(&output, 1, 0) > 0, Int32(output.revents) & (POLLERR | POLLHUP) != 0 else { return }
        throw ClosedPipe()
    }

    /// A remark on stderr, which is no data.
    static func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
    }

    private static func fault() -> any Error {
        CommandFailure(
            "the output cannot be written: \(String(cString: strerror(errno)))",
            hint: "Is the disk full? What was asked for may be done already: look before you repeat it.")
    }
}

/// Nobody reads the output any more, which is no failure.
struct ClosedPipe: Error {}

/// Texts of strangers, such as names and user agents, must not steer the operator's terminal.
enum Printable {
    /// Controls and format characters, joiners excepted, become `�`.
    static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnsafe($0) ? "\u{FFFD}" : $0 }))
    }

    /// The same JSON with what JSON lets stand and terminals obey written as `\u` escapes.
    static func json(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: isUnsafe) else { return json }
        return json.unicodeScalars.map { isUnsafe($0) ? String($0).utf16.map(escape).joined() : String($0) }.joined()
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isInvisible && !scalar.isJoiner
    }
}
