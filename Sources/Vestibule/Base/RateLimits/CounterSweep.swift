import Essentials
import Synchronization

/// Says when an engine is to count the counters of limits themselves: not at every use, but often
/// enough.
package final class CounterSweep: Sendable {
    /// So many counters are kept, however many addresses are tried.
    package static let countersAtMost = 16_384
    package static let every = 256

    private let taken = Atomic(0)

    package init() {}

    /// Whether it is due, now that so many more were taken.
    package func isDue(after claims: Int) -> Bool {
        let (before, after) = taken.add(claims, ordering: .relaxed)
        return before / Self.every != after / Self.every
    }
}
