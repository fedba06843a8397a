public import Observation

/// How long something has to wait after "Too many attempts". Counts by a clock that nobody sets.
@MainActor @Observable public final class Countdown {
    /// Whole seconds, rounded up; 0 when there is nothing to wait for.
    public private(set) var secondsLeft = 0
    @ObservationIgnored private var ticking: Task<Void, Never>?

    func start(seconds: Int) {
        ticking?.cancel()
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        secondsLeft = seconds
        ticking = Task { [weak self] in
            while !Task.isCancelled, let left = self?.secondsLeft, left > 0 {
                // Whole seconds of what is left: the system may have slept meanwhile.
                try? await clock.sleep(until: end - .seconds(left - 1))
                guard !Task.isCancelled else { return }
                self?.secondsLeft = max(0, Int((end - clock.now) / .seconds(1) + 0.999))
            }
        }
    }

    /// Ends the wait.
    func stop() {
        ticking?.cancel()
        secondsLeft = 0
    }

    deinit {
        ticking?.cancel()
    }
}
