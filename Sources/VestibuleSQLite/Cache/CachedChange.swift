import Essentials
import Vestibule

/// What a commit has changed of what the read cache may hold.
enum CachedChange: Sendable, Hashable {
    /// The account's row, which its sessions and its overviews show.
    case account(String)
    /// One session; the account's overviews list it.
    case session(TokenDigest, accountID: String)
    /// Something that only the account's overviews show.
    case overview(accountID: String)

    var accountID: String {
        switch self {
        case .account(let accountID), .session(_, let accountID), .overview(let accountID): accountID
        }
    }
}
