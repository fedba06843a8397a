package import Essentials
import Foundation

/// Puts accounts into groups, for the operator. Applications learn the groups and let members in.
package struct GroupMembership: Sendable {
    let store: any GroupStore
    let author: Operator

    package init(store: any GroupStore, author: Operator = Operator()) {
        (self.store, self.author) = (store, author)
    }

    /// Returns whether it changed anything. Throws as `GroupStore.changeGroups` does.
    package func change(_ change: GroupChange) async throws -> Bool {
        try await store.changeGroups(change, event: author.event(.groupsChanged, change.accountID))
    }
}

extension SecurityEvent.Kind {
    static let groupsChanged = Self("groups_changed", log: "authz_change")
}

/// The store's part of groups.
package protocol GroupStore: Sendable {
    /// Puts an account into groups and takes it out of others in one transaction, and keeps the
    /// event if that changed anything. Returns whether it did. Throws `TooManyGroups`, and
    /// `Superseded` when there is no such account any more; both change nothing.
    func changeGroups(_ change: GroupChange, event: SecurityEvent) async throws -> Bool
}

/// The groups an account enters and leaves. It leaves first.
package struct GroupChange: Sendable, Equatable {
    /// How many an account may be in.
    package static let mostPerAccount = 100

    package let accountID: AccountID
    package let adding: Set<GroupName>
    package let removing: Set<GroupName>

    package init(accountID: AccountID, adding: Set<GroupName> = [], removing: Set<GroupName> = []) {
        self.accountID = accountID
        self.adding = adding
        self.removing = removing
    }
}

/// The account would be in more than `GroupChange.mostPerAccount` groups.
package struct TooManyGroups: Error {
    package init() {}
}

/// The name of a group: 1 to 64 ASCII letters, digits, dashes, underscores and dots. Case counts.
package struct GroupName: Sendable, Hashable {
    package let text: String

    /// Returns nil if it cannot be a name.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count),
            bytes.allSatisfy({ $0.isASCIILetterOrDigit || "-_.".utf8.contains($0) })
        else { return nil }
        self.text = text
    }
}
