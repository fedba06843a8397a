import Foundation

/// Which ways in a new password leaves, and which it takes away: one that was added lately may be a
/// thief's. The password itself is always a way in, and a second factor always stays.
struct WaysInReview: Sendable {
    /// Seconds.
    static let recent: TimeInterval = 30 * 86_400

    let kept: [LinkedIdentity]
    let removed: [LinkedIdentity]
    let keptPasskeys: [Passkey]
    let removedPasskeys: [Passkey]

    /// Whether anybody may have opened the account, and the mailbox is proved now: then nothing
    /// stays.
    let endsAll: Bool

    /// At the `firstProof` of the mailbox nothing stays. The identity that an account was opened
    /// with was not added, and stays otherwise.
    init(_ identities: [LinkedIdentity], _ passkeys: [Passkey], of account: Account?, firstProof: Bool, now: Date) {
        endsAll = firstProof
        let since = now.addingTimeInterval(-Self.recent)
        func stays(_ way: LinkedIdentity) -> Bool {
            let moment = way.identity.createdAt
            return !firstProof && (moment <= since || moment == account?.createdAt)
        }
        func stays(_ passkey: Passkey) -> Bool {
            !firstProof && (passkey.isSecondFactor || passkey.createdAt <= since)
        }
        kept = identities.filter { stays($0) }
        removed = identities.filter { !stays($0) }
        keptPasskeys = passkeys.filter { stays($0) }
        removedPasskeys = passkeys.filter { !stays($0) }
    }

    /// What the store does; one event for each way that goes.
    func removal(_ event: (SecurityEvent.Kind) -> SecurityEvent) -> ReviewedWays {
        ReviewedWays(
            kept: kept.map(\.identity.id) + keptPasskeys.map(\.id),
            removed: removed.map(\.identity.id) + removedPasskeys.map(\.id),
            events: removed.map { _ in event(.identityUnlinked) } + removedPasskeys.map { _ in event(.passkeyRemoved) })
    }

    /// What mails say, with the providers' labels and the names of passkeys.
    func mention(_ providers: Providers) -> [String: String] {
        guard !endsAll else { return ["ways_unproved": "yes"] }
        var values: [String: String] = [:]
        for (name, ways) in [("ways_kept", kept), ("ways_removed", removed)] where !ways.isEmpty {
            values[name] = Set(ways.map { providers.label($0.identity.provider) }).sorted().joined(separator: ", ")
        }
        for (name, passkeys) in [("passkeys_kept", keptPasskeys), ("passkeys_removed", removedPasskeys)]
        where !passkeys.isEmpty {
            values[name] = passkeys.map(\.name).joined(separator: ", ")
        }
        return values
    }
}

/// The identities and passkeys an account has when its password is replaced, by id: the store
/// checks that it still has just these.
package struct ReviewedWays: Sendable {
    package let kept: [String]
    package let removed: [String]
    package let events: [SecurityEvent]

    /// Of an account that only has a password.
    package static let nothing = ReviewedWays(kept: [], removed: [], events: [])
}
