import Foundation
import Synchronization
import Vestibule

/// Progress of a copy on stderr, where that is a terminal.
final class CopyProgress: Sendable {
    private let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
    private let drawnAt = Mutex<ContinuousClock.Instant?>(nil)
    private static let width = 30
    private static let drawnEvery: Duration = .milliseconds(100)

    func show(_ progress: StoreCopy.Progress) {
        let isDue = drawnAt.withLock { drawnAt in
            if let drawn = drawnAt, .now - drawn < Self.drawnEvery { return false }
            drawnAt = .now
            return true
        }
        guard isTerminal, isDue, progress.total > 0 else { return }
        let share = Double(progress.copied + progress.checked) / Double(2 * progress.total)
        let filled = Int(min(1, share) * Double(Self.width))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
        write("\r[\(bar)] \(progress.copied) rows copied, \(progress.checked) checked, of \(progress.total)\u{1B}[K")
    }

    /// Takes the bar away.
    func clear() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
