import Essentials
import Foundation
import Vestibule

/// A security event in a listing.
struct EventRow: ListedRow {
    let id: String
    let at: Date
    let kind: String
    /// Absent when no account is behind what was tried.
    let accountId: AccountID?
    let email: String?
    let address, userAgent: String
    /// Absent unless it is a sum of failures.
    let count: Int?

    init(_ entry: AuditEntry) {
        id = entry.event.id
        at = entry.event.at
        kind = entry.event.kind.name
        accountId = entry.event.accountID
        email = entry.email
        address = entry.event.address.text
        userAgent = entry.event.userAgent
        count = entry.event.count > 1 ? entry.event.count : nil
    }

    static let columns = ["TIME (UTC)", "EVENT", "ACCOUNT", "FROM"]

    var cells: [String] { [at.utc, what, email ?? accountId?.rawValue ?? "-", origin] }

    /// The kind, and how often it happened.
    var what: String { count.map { "\(kind) (\($0) times)" } ?? kind }

    /// Network address and browser, or what stands for them.
    var origin: String {
        [address, userAgent].filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
