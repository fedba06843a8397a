/// What names one row of the store: it may be shown, and opens nothing. Text that names no row is
/// one, too: the store then finds nothing.
package protocol Identifier: RawRepresentable<String>, Sendable, Hashable, Codable, CustomStringConvertible {
    init(rawValue: String)
}

extension Identifier {
    /// One that was never given before.
    package init(from random: Randomness) {
        self.init(rawValue: random.id())
    }

    package var description: String { rawValue }
}
