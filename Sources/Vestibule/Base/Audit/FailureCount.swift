import Essentials

/// How strangers' failures are kept. For an address without an account what they write is bounded
/// by the time, not by how many there are; for one with an account the same statements are run, so
/// that neither work nor time tells which it is.
package enum FailureCount {
    /// Milliseconds of the time that failures are summed up for.
    package static let hour: Int64 = 3_600_000

    /// What the failures in a row are counted under. Addresses without an account share 4,096
    /// counters, which decide nothing.
    package static func key(_ key: [UInt8], hasAccount: Bool) -> [UInt8] {
        hasAccount ? key : key.prefix(2).enumerated().map { $0.offset == 0 ? $0.element : $0.element & 0x0F }
    }

    /// Everything of one kind and hour (since 1970) is one event: of an account with the last
    /// network address, of all others without.
    package static func sum(_ failure: SecurityEvent, hour: Int64) -> SecurityEvent {
        let isOfAccount = failure.accountID != nil
        return SecurityEvent(
            id: "sum.\(hour).\(failure.kind.name).\(failure.accountID?.rawValue ?? "")", kind: failure.kind,
            accountID: failure.accountID, at: failure.at, address: isOfAccount ? failure.address : nil,
            userAgent: isOfAccount ? failure.userAgent : ""
        )
    }
}
