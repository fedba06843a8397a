package import Essentials
package import Foundation

/// Puts accounts into groups, for the operator. Applications learn the groups and let members in.
package struct GroupMembership: Sendable {
    let store: any GroupStore
    let random: Randomness
    let now: @Sendable () -> Date

    package init(
        store: any GroupStore, random: Randomness = .system, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.store, self.random, self.now) = (store, random, now)
    }

    /// Returns whether it changed anything. Throws as `GroupStore.changeGroups` does.
    package func change(_ change: GroupChange) async throws -> Bool {
        try await store.changeGroups(
            change, event: .ofOperator(.groupsChanged, accountID: change.accountID, random: random, at: now()))
    }
}

extension SecurityEvent.Kind {
    static let groupsChanged = Self("groups_changed", log: "authz_change")
}
