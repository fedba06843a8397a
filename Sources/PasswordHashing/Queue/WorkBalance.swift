import Synchronization

/// How much must be added to a hash of older, cheaper parameters so that it takes as long as one of
/// today's.
///
/// Counting blocks is up to 10 % off, because less memory fits a cache better, so the count is only
/// where it starts: each wrong password against such parameters is timed and corrects the next.
final class WorkBalance: Sendable {
    private struct Rest {
        var memoryKiB: Double
        var corrections = 0.0
    }

    private struct State {
        var todaySeconds: Double?
        var rests: [Argon2Parameters: Rest] = [:]
    }

    /// Weight of one more measurement, once there are enough.
    private static let weight = 1.0 / 8

    private let today: Argon2Parameters
    private let state = Mutex(State())

    init(today: Argon2Parameters) {
        self.today = today
    }

    /// Processor time of one hash of today's parameters, in seconds. Nil before one was measured.
    var todaySeconds: Double? { state.withLock { $0.todaySeconds } }

    /// Parameters of the hash to add to one of `old` parameters. Returns nil if `old` is not
    /// cheaper.
    func remainder(after old: Argon2Parameters) -> Argon2Parameters? {
        guard let counted = today.remainder(after: old) else { return nil }
        let corrected = state.withLock { $0.rests[old].map { Int($0.memoryKiB) } }
        return Argon2Parameters(memoryKiB: corrected ?? counted.memoryKiB, iterations: counted.iterations)
    }

    /// Notes the processor time of one hash of today's parameters, in seconds.
    func noteToday(seconds: Double) {
        // Some clocks tick a hundred times a second, and a hash may be done between two ticks.
        guard seconds > 0 else { return }
        state.withLock { state in
            let known = state.todaySeconds ?? seconds
            state.todaySeconds = known + (seconds - known) * Self.weight
        }
    }

    /// Notes the processor time of an old hash with what was added to it, and of the addition
    /// alone, in seconds.
    func note(_ old: Argon2Parameters, wholeSeconds: Double, restSeconds: Double) {
        guard let counted = today.remainder(after: old), restSeconds > 0 else { return }
        state.withLock { state in
            guard let todaySeconds = state.todaySeconds else { return }
            var rest = state.rests[old] ?? Rest(memoryKiB: Double(counted.memoryKiB))
            rest.corrections += 1
            let missing = (todaySeconds - wholeSeconds) / restSeconds * max(Self.weight, 1 / rest.corrections)
            // Halved or doubled at most: one measurement gone wrong must not undo all the others.
            rest.memoryKiB *= min(max(0.5, 1 + missing), 2)
            rest.memoryKiB = min(max(8, rest.memoryKiB), Double(today.memoryKiB))
            state.rests[old] = rest
        }
    }
}
