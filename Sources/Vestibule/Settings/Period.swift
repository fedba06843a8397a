package import Foundation

/// A length of time as settings write it: `90s`, `15m`, `12h`, `30d`, or a bare unit (`m` is one minute).
package struct Period: Sendable, Equatable {
    package let duration: Duration

    init?(_ text: some StringProtocol) {
        guard let unit = text.last, let seconds = ["s": 1, "m": 60, "h": 3600, "d": 86_400][unit] else { return nil }
        let digits = text.dropLast()
        guard digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), digits.count <= 6 else { return nil }
        duration = .seconds((digits.isEmpty ? 1 : Int(digits) ?? 0) * seconds)
    }
}

extension Duration {
    /// Whole and part seconds, for arithmetic with `Date`.
    package var seconds: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}
