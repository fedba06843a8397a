import Essentials
import Synchronization

/// Says when the counters of limits are to be counted themselves: not at every use, but often
/// enough.
final class CounterSweep: Sendable {
    static let every = 256

    private let taken = Atomic(0)

    /// Whether it is due, now that so many more were taken.
    func isDue(after claims: Int) -> Bool {
        let (before, after) = taken.add(claims, ordering: .relaxed)
        return before / Self.every != after / Self.every
    }
}
