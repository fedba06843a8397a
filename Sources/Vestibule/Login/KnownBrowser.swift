import Essentials
package import Foundation

extension Needs {
    /// Who tries something for an address: a browser that knows it counts by itself.
    func subject(
        _ visitor: Visitor, email: EmailAddress?, flow: TokenDigest? = nil
    ) async throws -> LimitSubject {
        let isKnown = try await isKnown(visitor, to: email)
        return LimitSubject(
            client: visitor.client, email: email, device: isKnown ? visitor.device?.id : nil, flow: flow)
    }

    /// Whether this browser has signed in to that address since its password was replaced: whoever once knew a password may
    /// have kept the cookies of many sign-ins.
    func isKnown(_ visitor: Visitor, to email: EmailAddress?) async throws -> Bool {
        guard let email, let last = visitor.device?.lastSignIn(to: email, key: secretKey) else { return false }
        guard let since = try await store.browsersKnownSince(emailKey: email.key) else { return true }
        return last >= since
    }
}

/// The store's part of knowing browsers.
package protocol KnownBrowserStore: Sendable {
    /// When the account of that address was made or its password replaced last: who signed in before counts as a stranger.
    /// `nil` when there is no such account.
    func browsersKnownSince(emailKey: String) async throws -> Date?
}
