package import Foundation

/// A length of time as settings write it: `90s`, `15m`, `12h`, `30d`, or a bare unit (`m` is one
/// minute).
package struct Period: Sendable, Equatable {
    package let duration: Duration
    private static let units: [Unicode.Scalar: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

    package init?(_ text: some StringProtocol) {
        let scalars = Substring(text).unicodeScalars
        guard let unit = scalars.last, let seconds = Self.units[unit] else { return nil }
        let digits = Substring(scalars.dropLast())
        guard digits.utf8.allSatisfy(\.isASCIIDigit), digits.utf8.count <= 6 else { return nil }
        duration = .seconds((digits.isEmpty ? 1 : Int(digits) ?? 0) * seconds)
    }
}

extension Duration {
    /// Whole and part seconds, for arithmetic with `Date`.
    package var seconds: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}
