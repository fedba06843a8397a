import Essentials
import Foundation

/// Why a command ends: for each fault one line of error and one of hint on stderr, and an exit
/// code.
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
    private let faults: [(error: String, hint: String)]

    init(_ kind: Kind, all faults: [(error: String, hint: String)]) {
        self.kind = kind
        self.faults = faults
    }

    init(_ kind: Kind, _ error: String, hint: String) {
        self.init(kind, all: [(error, hint)])
    }

    init(_ error: String, hint: String) {
        self.init(.failed, error, hint: hint)
    }

    /// In one line of a report.
    var words: String { faults.map { "\($0.error). \($0.hint)" }.joined(separator: " ") }

    var code: Int32 { kind.rawValue }

    func report() {
        // What was printed comes before it, through a pipe too.
        fflush(nil)
        let lines = faults.map { "vestibule: error: \(oneLine($0.error))\nhint: \(oneLine($0.hint))\n" }
        try? FileHandle.standardError.write(contentsOf: Data(lines.joined().utf8))
    }

    private func oneLine(_ text: String) -> String {
        Printable.text(
            text.textLines.map(\.trimmingSpaces).filter { !$0.isEmpty }.joined(separator: " "))
    }
}
