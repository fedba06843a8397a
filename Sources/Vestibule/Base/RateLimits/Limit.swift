import Essentials

/// One limit as settings write it: `10/15m/address` is ten in fifteen minutes for each typed
/// address.
struct Limit: Sendable, Equatable {
    /// What a limit counts by (contract section 7).
    enum Key: String, Sendable, CaseIterable {
        case ip, address, addressAndIP = "address+ip", device, flow, all
        /// The account, or the address that is tried, whichever browser it is; no setting names it.
        case account

        static let settable = allCases.filter { $0 != .account }
    }

    let amount: Int
    let period: Duration
    let key: Key

    /// Distinguishes two limits of the same key on one subject.
    var name: String { "\(amount)/\(period.components.seconds)/\(key.rawValue)" }

    /// As a setting writes it, such as `10/15m/address`.
    var text: String {
        let seconds = period.components.seconds
        let units: [(String, Int64)] = [("d", 86_400), ("h", 3600), ("m", 60)]
        let (unit, length) = units.first { seconds % $0.1 == 0 } ?? ("s", 1)
        return "\(amount)/\(seconds / length)\(unit)/\(key.rawValue)"
    }
}

extension Limit {
    init?(_ text: String) {
        let parts = text.parts(by: "/")
        guard parts.count == 3, let amount = Int(parts[0]), (1...1_000_000).contains(amount),
            let period = Period(parts[1]), period.duration > .zero, let key = Key(rawValue: String(parts[2]))
        else { return nil }
        self.init(amount: amount, period: period.duration, key: key)
    }
}

/// Wrong passwords and codes in a row for an address.
package enum FailuresInARow {
    /// After so many only a known browser may try (NIST SP 800-63B-4 section 3.2.2).
    package static let atMost = 100
}

extension SecretKey {
    /// Names the failures in a row for an address, so that the store holds no address in clear. 16
    /// bytes.
    func failuresKey(_ email: EmailAddress) -> [UInt8] {
        Array(mac(.limit, Array("failures \(email.key)".utf8)).prefix(16))
    }
}
