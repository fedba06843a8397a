/// Pauses between the tries of a transaction.
struct Backoff {
    /// When no more tries are begun.
    let end = ContinuousClock.now + longest
    /// In milliseconds.
    private var pause = 1
    static let longest: Duration = .seconds(5)
    private static let longestPause = 64

    var isOver: Bool { .now >= end }

    /// Waits ever longer, and never as long as another one does: two transactions that met would
    /// meet again.
    mutating func wait() async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 1...pause)))
        pause = min(pause * 2, Self.longestPause)
    }
}
