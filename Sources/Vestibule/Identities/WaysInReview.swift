import Essentials
import Foundation

/// An identity with what lets us end it at the provider, sealed.
package struct LinkedIdentity: Sendable, Equatable {
    package let identity: Identity
    package let refreshToken: [UInt8]?

    package init(identity: Identity, refreshToken: [UInt8]?) {
        self.identity = identity
        self.refreshToken = refreshToken
    }
}

/// Which ways in through providers a new password leaves, and which it takes away: one that was
/// added lately may be a thief's. The password itself is always a way in.
struct WaysInReview: Sendable {
    /// Seconds.
    static let recent: TimeInterval = 30 * 86_400

    let kept: [LinkedIdentity]
    let removed: [LinkedIdentity]

    /// Before the mailbox was proved anybody may have opened the account: then nothing stays. The
    /// identity that a proved account was opened with was not added, and stays.
    init(_ all: [LinkedIdentity], of account: Account?, now: Date) {
        let since = now.addingTimeInterval(-Self.recent)
        func stays(_ way: LinkedIdentity) -> Bool {
            let moment = way.identity.createdAt
            return account?.verifiedAt != nil && (moment <= since || moment == account?.createdAt)
        }
        kept = all.filter { stays($0) }
        removed = all.filter { !stays($0) }
    }

    /// What the store does; one event for each way that goes.
    func removal(_ event: () -> SecurityEvent) -> IdentityReview {
        IdentityReview(
            kept: kept.map(\.identity.id), removed: removed.map(\.identity.id), events: removed.map { _ in event() })
    }

    /// What mails and pages say, with the providers' labels.
    func mention(_ providers: Providers) -> [String: String] {
        var values: [String: String] = [:]
        for (name, ways) in [("ways_kept", kept), ("ways_removed", removed)] where !ways.isEmpty {
            values[name] = Set(ways.map { providers.label($0.identity.provider) }).sorted().joined(separator: ", ")
        }
        return values
    }

    /// What the providers granted for those that go.
    var tokens: [SealedGrant] {
        removed.compactMap { way in way.refreshToken.map { SealedGrant(way.identity, $0) } }
    }

    /// The names of the providers, for the page that follows.
    var told: WaysInNotice {
        WaysInNotice(kept: Set(kept.map(\.identity.provider)), removed: Set(removed.map(\.identity.provider)))
    }
}

/// The identities an account has when its password is replaced, by id: the store checks that it
/// still has just these.
package struct IdentityReview: Sendable {
    package let kept: [String]
    package let removed: [String]
    package let events: [SecurityEvent]

    package init(kept: [String], removed: [String], events: [SecurityEvent]) {
        self.kept = kept
        self.removed = removed
        self.events = events
    }

    /// An account that only has a password.
    package static let nothing = IdentityReview(kept: [], removed: [], events: [])
}

/// Providers by name, for the page after a new password.
struct WaysInNotice: Sendable, Equatable {
    let kept: Set<String>
    let removed: Set<String>
}
