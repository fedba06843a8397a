import Essentials
package import Foundation

/// Browsers that have signed in to an address before.
struct KnownBrowsers: Sendable {
    let store: any KnownBrowserStore
    let key: SecretKey
    let random: Randomness
    let now: @Sendable () -> Date

    /// Who tries something for an address: a browser that knows it counts by itself.
    func subject(
        _ visitor: Visitor, email: EmailAddress?, flow: TokenDigest? = nil
    ) async throws -> LimitSubject {
        let isKnown = try await isKnown(visitor, to: email)
        return LimitSubject(
            client: visitor.client, email: email, device: isKnown ? visitor.device?.id : nil, flow: flow)
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

    /// The browser's device cookie after signing in to that address.
    func cookie(of visitor: Visitor, adding email: EmailAddress) -> DeviceCookie {
        (visitor.device ?? DeviceCookie(from: random)).adding(email, at: now(), key: key)
    }

    /// The browser's device cookie without that address; nil when it held no other.
    func cookie(of visitor: Visitor, removing email: EmailAddress) -> DeviceCookie? {
        visitor.device?.removing(email, key: key)
    }
}

/// The store's part of knowing browsers.
package protocol KnownBrowserStore: Sendable {
    /// When the account of that address was made or its password replaced last: who signed in
    /// before counts as a stranger. `nil` when there is no such account.
    func browsersKnownSince(emailKey: String) async throws -> Date?
}
