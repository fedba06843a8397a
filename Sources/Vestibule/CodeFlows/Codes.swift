package import Essentials
package import Foundation

/// Codes that are mailed and typed: how long they are, how long they live, and what a typed one is
/// compared with.
package struct Codes: Sendable {
    private let store: any CodeStore
    private let key: SecretKey
    private let random: Randomness
    /// What codes live by.
    private let clock: SteadyClock
    private let audit: Audit
    private let now: @Sendable () -> Date

    package init(
        store: any CodeStore, key: SecretKey, random: Randomness, clock: SteadyClock, audit: Audit,
        now: @escaping @Sendable () -> Date
    ) {
        (self.store, self.key, self.random, self.clock) = (store, key, random, clock)
        (self.audit, self.now) = (audit, now)
    }

    /// A code to be mailed: a long one for a browser that is not known once too many wrong ones were typed. Whether the
    /// address has an account makes no difference to its owner's mail.
    func make(_ limit: ShortCodeLimit, isKnown: Bool, failuresInARow: Int = 0) async throws -> Code {
        let site = try await store.wrongCodes(now: now())
        let isShort = isKnown || limit.admits(site: site, inARow: failuresInARow)
        return Code(from: random, length: isShort ? .short : .long)
    }

    /// What the store keeps of a code.
    func digest(_ code: Code, flow: TokenDigest) -> CodeDigest {
        code.digest(flow: flow, key: key)
    }

    /// What a typed code is compared with and counted by. `accountID` is of the one the wrong code is told to, where it is known.
    func attempt(
        _ code: Code, _ limit: ShortCodeLimit, flow: TokenDigest, emailKey: String, isKnown: Bool,
        accountID: String?, visitor: Visitor
    ) -> CodeAttempt {
        CodeAttempt(
            digests: code.digests(flow: flow, key: key), failuresKey: key.failuresKey(emailKey),
            failure: audit.event(.codeFailed, accountID: accountID, visitor: visitor),
            limit: isKnown || code.isLong ? nil : limit
        )
    }

    /// When a code that is made now expires.
    var expiry: Date { clock.now.addingTimeInterval(Code.lifetime.seconds) }

    /// False for a code that has expired, or that was made later than now: before a restart, by a clock that has been set
    /// back since.
    func isAlive(until expiry: Date) -> Bool {
        let left = expiry.timeIntervalSince(clock.now)
        return left > 0 && left <= Code.lifetime.seconds
    }

    /// Throws `Refusal.codeWrong` for a code that is not alive.
    func checkLife(until expiry: Date) throws {
        guard isAlive(until: expiry) else { throw Refusal.codeWrong }
    }
}
