import Essentials
import Foundation
import Serving
import Vestibule

/// Refused lines and progress on stderr: a bar on a terminal, else a line for every hundred
/// thousand.
struct ImportProgress {
    /// `nil` when it is not known how much there is.
    let totalBytes: Int?
    private let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
    private let start = ContinuousClock.now
    private var drawnAt: ContinuousClock.Instant?
    private var told = 0
    private static let width = 30
    private static let linesBetween = 100_000
    private static let drawnEvery: Duration = .milliseconds(100)

    init(totalBytes: Int?) {
        self.totalBytes = totalBytes
    }

    mutating func show(_ notice: Import.Notice) {
        switch notice {
        case .refused(let refused):
            clear()
            write("line \(refused.line): \(Printable.text(refused.refusal.reason))\n")
        case .progress(let lines, let bytes): isTerminal ? draw(lines, bytes) : tell(lines)
        case .completing:
            clear()
            write("checked; making the accounts\n")
        }
    }

    /// Takes the bar away.
    mutating func clear() {
        guard drawnAt != nil else { return }
        drawnAt = nil
        write("\r\u{1B}[K")
    }

    private mutating func draw(_ lines: Int, _ bytes: Int) {
        if let drawnAt, .now - drawnAt < Self.drawnEvery { return }
        drawnAt = .now
        let rate = Int(Double(lines) / max((.now - start) / .seconds(1), 0.001))
        write("\r\(bar(bytes))\(lines) lines, \(rate) a second\u{1B}[K")
    }

    private func bar(_ bytes: Int) -> String {
        guard let totalBytes, totalBytes > 0 else { return "" }
        let share = min(1, Double(bytes) / Double(totalBytes))
        let filled = Int(share * Double(Self.width))
        return "[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: Self.width - filled))] "
            + "\(Int(share * 100))% "
    }

    private mutating func tell(_ lines: Int) {
        guard lines / Self.linesBetween > told / Self.linesBetween else { return }
        told = lines
        write("\(lines) lines checked\n")
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
