/// A code that was typed: what is compared, and what is written when it is wrong.
package struct CodeAttempt: Sendable {
    /// Under the keys in force.
    package let digests: [CodeDigest]
    /// Of the address the code was mailed to.
    package let failuresKey: [UInt8]
    /// Kept when the code is wrong. Without an account it becomes one of the account that has the
    /// address.
    package let failure: SecurityEvent
    /// Beyond it no code is right; `nil` for a long code and for a known browser.
    package let limit: ShortCodeLimit?

    package init(digests: [CodeDigest], failuresKey: [UInt8], failure: SecurityEvent, limit: ShortCodeLimit? = nil) {
        self.digests = digests
        self.failuresKey = failuresKey
        self.failure = failure
        self.limit = limit
    }
}

/// How many wrong codes there may have been for a short one to be mailed to, and to work in, a
/// browser that is not known. docs/security.md has the arithmetic.
package struct ShortCodeLimit: Sendable, Equatable {
    /// For the whole site, in a day.
    package let site: Int
    /// Wrong codes and passwords in a row for the address.
    package let inARow: Int

    package init(site: Int, inARow: Int) {
        self.site = site
        self.inARow = inARow
    }

    /// Where a right code opens an account.
    package static let account = ShortCodeLimit(site: 200, inARow: FailuresInARow.atMost)
    /// Where it proves an address for somebody else's account, or for a new one.
    package static let address = ShortCodeLimit(site: account.site, inARow: .max)

    package func admits(site: Int, inARow: Int) -> Bool {
        site < self.site && inARow < self.inARow
    }
}
