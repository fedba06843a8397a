package import Essentials

/// What a commit has changed of what the read cache may hold.
package enum CachedChange: Sendable, Hashable {
    /// The account's row, which its sessions and its overviews show.
    case account(AccountID)
    /// One session; the account's overviews list it.
    case session(TokenDigest, accountID: AccountID)
    /// Something that only the account's overviews show.
    case overview(accountID: AccountID)

    var accountID: AccountID {
        switch self {
        case .account(let accountID), .session(_, let accountID), .overview(let accountID): accountID
        }
    }
}
