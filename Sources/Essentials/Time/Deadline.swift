/// When a piece of work, such as a request, begins nothing more that it would have to wait for, so
/// that many short waits do not add up. What it waits for then is heard out.
package enum Deadline {
    /// Nil: every wait only has an end of its own.
    @TaskLocal package static var current: ContinuousClock.Instant?

    /// Whether it is over.
    package static var isOver: Bool { current.map { .now >= $0 } ?? false }

    /// That moment, or the deadline if it is earlier.
    package static func before(_ end: ContinuousClock.Instant) -> ContinuousClock.Instant {
        current.map { min($0, end) } ?? end
    }
}
