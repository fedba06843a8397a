package import Essentials

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
