import Foundation

/// A bar on stderr, where that is a terminal, drawn ten times a second.
struct ProgressBar {
    let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
    private var drawnAt: ContinuousClock.Instant?
    private static let width = 30
    private static let drawnEvery: Duration = .milliseconds(100)

    /// `share` is how much is done, 0 to 1; nil if that is not known.
    mutating func draw(_ share: Double?, _ words: String) {
        guard isTerminal else { return }
        if let drawnAt, .now - drawnAt < Self.drawnEvery { return }
        drawnAt = .now
        write("\r\(share.map(Self.bar) ?? "")\(words)\u{1B}[K")
    }

    /// Takes the bar away.
    mutating func clear() {
        guard drawnAt != nil else { return }
        drawnAt = nil
        write("\r\u{1B}[K")
    }

    /// On stderr, terminal or not.
    func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    private static func bar(_ share: Double) -> String {
        let filled = Int(min(1, share) * Double(width))
        return "[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: width - filled))] "
            + "\(Int(min(1, share) * 100))% "
    }
}
