package import Foundation

extension Date {
    /// As stores keep it: milliseconds since 1970, rounded down.
    package var ms: Int64 { Int64((timeIntervalSince1970 * 1000).rounded(.down)) }

    package init(ms: Int64) {
        self.init(timeIntervalSince1970: Double(ms) / 1000)
    }
}
