import Essentials

/// Wrong passwords and codes in a row for an address.
enum FailuresInARow {
    /// After so many only a known browser may try (NIST SP 800-63B-4 section 3.2.2).
    static let atMost = 100
}

extension SecretKey {
    /// Names the failures in a row for an address, so that the store holds no address in clear. 16
    /// bytes.
    func failuresKey(_ email: EmailAddress) -> [UInt8] {
        Array(mac(.limit, Array("failures \(email.key)".utf8)).prefix(16))
    }
}
