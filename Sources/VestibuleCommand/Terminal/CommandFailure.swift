import Essentials
import Foundation

/// Why a command ends: one line of error and one of hint on stderr, and an exit code.
struct CommandFailure: Error {
    /// What scripts can rely on (sysexits for usage and configuration).
    enum Kind: Int32 {
        case failed = 1
        case badUsage = 64
        case badConfiguration = 78
        /// Ended by SIGINT or SIGTERM, as shells count.
        case interrupted = 130
        case terminated = 143
    }

    private let kind: Kind
    let error: String
    let hint: String

    init(_ kind: Kind, _ error: String, hint: String) {
        self.kind = kind
        self.error = error
        self.hint = hint
    }

    init(_ error: String, hint: String) {
        self.init(.failed, error, hint: hint)
    }

    var code: Int32 { kind.rawValue }

    func report() {
        let lines = "vestibule: error: \(oneLine(error))\nhint: \(oneLine(hint))\n"
        try? FileHandle.standardError.write(contentsOf: Data(lines.utf8))
    }

    private func oneLine(_ text: String) -> String {
        Printable.text(
            text.textLines.map(\.trimmingSpaces).filter { !$0.isEmpty }.joined(separator: " "))
    }
}
