import Vestibule

/// Refused lines and progress on stderr: a bar on a terminal, else a line for every hundred
/// thousand.
struct ImportProgress {
    /// `nil` when it is not known how much there is.
    let totalBytes: Int?
    private var bar = ProgressBar()
    private let start = ContinuousClock.now
    private var told = 0
    private static let linesBetween = 100_000

    init(totalBytes: Int?) {
        self.totalBytes = totalBytes
    }

    mutating func show(_ notice: Import.Notice) {
        switch notice {
        case .refused(let refused):
            bar.clear()
            bar.write("line \(refused.line): \(Printable.text(refused.refusal.reason))\n")
        case .progress(let lines, let bytes): bar.isTerminal ? draw(lines, bytes) : tell(lines)
        case .completing:
            bar.clear()
            bar.write("checked; making the accounts\n")
        }
    }

    /// Takes the bar away.
    mutating func clear() {
        bar.clear()
    }

    private mutating func draw(_ lines: Int, _ bytes: Int) {
        let rate = Int(Double(lines) / max((.now - start) / .seconds(1), 0.001))
        let share = totalBytes.flatMap { $0 > 0 ? Double(bytes) / Double($0) : nil }
        bar.draw(share, "\(lines) lines, \(rate) a second")
    }

    private mutating func tell(_ lines: Int) {
        guard lines / Self.linesBetween > told / Self.linesBetween else { return }
        told = lines
        bar.write("\(lines) lines checked\n")
    }
}
