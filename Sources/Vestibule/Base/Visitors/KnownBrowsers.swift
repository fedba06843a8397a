import Essentials
package import Foundation

/// Browsers that have signed in to an address before, reset its password or taken it back.
struct KnownBrowsers: Sendable {
    let store: any KnownBrowserStore
    let key: SecretKey
    let random: Randomness
    let now: @Sendable () -> Date

    /// Seconds; afterwards the cookies that somebody kept from before are worth nothing.
    private static let recoveryLifetime: TimeInterval = 30 * 86_400

    /// Who tries something for an address: a browser that knows it counts by itself.
    func subject(
        _ visitor: Visitor, email: EmailAddress?, flow: TokenDigest? = nil
    ) async throws -> LimitSubject {
        let isKnown = try await isKnown(visitor, to: email)
        return LimitSubject(
            client: visitor.client, email: email, device: isKnown ? visitor.device?.id : nil, flow: flow)
    }

    /// Who asks for a reset of that address, or types a code mailed to it, and whether that browser
    /// is known. A browser is no longer known when the password was replaced, or a factor added, in
    /// another one. For `recoveryLifetime` after that, its requests are still counted apart from
    /// those of other browsers: a thief who replaced the password must not use up the mails and
    /// tries that the owner needs to get the account back.
    func recoverySubject(
        _ visitor: Visitor, email: EmailAddress, flow: TokenDigest? = nil
    ) async throws -> (subject: LimitSubject, isKnown: Bool) {
        var subject = try await subject(visitor, email: email, flow: flow)
        guard subject.device == nil else { return (subject, true) }
        if let device = visitor.device, device.lastSignIn(to: email, key: key) != nil,
            let since = try await store.browsersKnownSince(emailKey: email.key),
            now().timeIntervalSince(since) < Self.recoveryLifetime
        {
            subject.device = device.id
        }
        return (subject, false)
    }

    /// Whether this browser has signed in to that address since its password was replaced: a person
    /// who once knew a password may have kept the cookies of many sign-ins.
    func isKnown(_ visitor: Visitor, to email: EmailAddress?) async throws -> Bool {
        try await lastSignIn(visitor, to: email) != nil
    }

    /// When this browser signed in to that address last, if it is known. A copy of its cookie from
    /// before says an earlier time.
    func lastSignIn(_ visitor: Visitor, to email: EmailAddress?) async throws -> Date? {
        guard let email, let last = visitor.device?.lastSignIn(to: email, key: key) else { return nil }
        guard let since = try await store.browsersKnownSince(emailKey: email.key) else { return last }
        return last >= since ? last : nil
    }

    /// The browser's device cookie after signing in to that address, then or now.
    func cookie(of visitor: Visitor, adding email: EmailAddress, at date: Date? = nil) -> DeviceCookie {
        (visitor.device ?? DeviceCookie(from: random)).adding(email, at: date ?? now(), key: key)
    }

    /// The browser's device cookie without that address; nil when it held no other.
    func cookie(of visitor: Visitor, removing email: EmailAddress) -> DeviceCookie? {
        visitor.device?.removing(email, key: key)
    }
}

/// The store's part of knowing browsers.
package protocol KnownBrowserStore: Sendable {
    /// When the account of that address was made, took the address, had its password replaced or a
    /// second factor added, whichever was last: who signed in before counts as a stranger. `nil`
    /// when there is no such account.
    func browsersKnownSince(emailKey: String) async throws -> Date?
}
