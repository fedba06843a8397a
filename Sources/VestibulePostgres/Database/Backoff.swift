/// Pauses between the tries of a transaction.
struct Backoff {
    /// No tries begin after this, except after a conflict.
    let end: ContinuousClock.Instant
    /// In milliseconds.
    private var pause = 1
    private var tries = 0
    static let longest: Duration = .seconds(5)
    private static let longestPause = 64
    /// At least so many tries follow on conflicts, even if the time is over: on a machine that
    /// stood still there may have been one only.
    static let fewestTries = 20
    /// After so many tries, about 100 ms of pauses, more of the same would hardly succeed.
    private static let manyTries = 8

    /// Only tests give another end.
    init(end: ContinuousClock.Instant = .now + longest) {
        self.end = end
    }

    /// Whether no further try follows that fault.
    func isOver(after fault: PostgresFault) -> Bool {
        .now >= end && (!fault.isConflict || tries >= Self.fewestTries)
    }

    /// Whether so many tries have failed that an urgent transaction keeps others out.
    var isLosing: Bool { tries >= Self.manyTries }

    /// Waits ever longer, and never as long as another one does: two transactions that met would
    /// meet again.
    mutating func wait() async throws {
        tries += 1
        try await Task.sleep(for: .milliseconds(Int.random(in: 1...pause)))
        pause = min(pause * 2, Self.longestPause)
    }
}
