import Essentials
import Foundation
import GRDB
import Synchronization
import VestibuleSQL

/// Notes which sessions and accounts the writer's statements change.
///
/// Temporary triggers of its connection call it for every row, rows that are deleted with their
/// account included, so that no statement has to name what it changes. What is rolled back is noted
/// as well.
final class ChangeRecorder: Sendable {
    /// A table that the cache is filled from.
    private struct Source {
        let table: String
        let accountID: String
        var tokenDigest = "NULL"
        var events = ["INSERT", "UPDATE", "DELETE"]
    }

    private static let function = "vestibule_changed"
    private static let sources = [
        // A new account changes nothing that was read: overviews without a session are not kept.
        Source(table: "accounts", accountID: "id", events: ["UPDATE", "DELETE"]),
        Source(table: "account_groups", accountID: "account_id"),
        Source(table: "sessions", accountID: "account_id", tokenDigest: "token_digest"),
        Source(table: "application_sessions", accountID: "account_id", tokenDigest: "token_digest"),
        Source(table: "consents", accountID: "account_id"),
        Source(table: "identities", accountID: "account_id"),
        Source(table: "password_times", accountID: "account_id"),
        // A row that REPLACE removes tells nothing, but the new one has the same account.
        Source(table: "security_events", accountID: "account_id"),
    ]

    /// What the sessions of an account show as well.
    private static let ofAccount = ["accounts".databaseValue, "account_groups".databaseValue]

    /// The tables whose changes are noted.
    static let tables = Set(sources.map(\.table))

    private let changes = Mutex<Set<CachedChange>>([])

    /// Makes the triggers that are missing; to be called on the writer's connection.
    func install(_ database: Database) throws {
        database.add(
            function: DatabaseFunction(Self.function, argumentCount: 3) { [self] values in
                note(values)
                return nil
            })
        for source in Self.sources {
            for event in source.events { try database.execute(sql: Self.trigger(source, event)) }
        }
    }

    /// The changes since it was asked last.
    package func take() -> Set<CachedChange> {
        changes.withLock { changes in
            defer { changes = [] }
            return changes
        }
    }

    private func note(_ values: [DatabaseValue]) {
        // So that a failure at an address without an account costs the same, it is told as one of
        // an account that nobody has.
        let accountID = AccountID(rawValue: String.fromDatabaseValue(values[1]) ?? "")
        let change: CachedChange
        if let digest = Data.fromDatabaseValue(values[2]) {
            change = .session(TokenDigest(bytes: [UInt8](digest)), accountID: accountID)
        } else {
            change = Self.ofAccount.contains(values[0]) ? .account(accountID) : .overview(accountID: accountID)
        }
        changes.withLock { _ = $0.insert(change) }
    }

    private static func trigger(_ source: Source, _ event: String) -> String {
        let rows =
            switch event {
            case "INSERT": ["NEW"]
            case "DELETE": ["OLD"]
            default: ["OLD", "NEW"]
            }
        let digest = source.tokenDigest
        let calls = rows.map { row in
            let tokenDigest = digest == "NULL" ? digest : "\(row).\(digest)"
            return "\(function)('\(source.table)', \(row).\(source.accountID), \(tokenDigest))"
        }
        return """
            CREATE TEMP TRIGGER IF NOT EXISTS changed_\(source.table)_\(event) AFTER \(event) ON main.\(source.table)
            BEGIN SELECT \(calls.joined(separator: ", ")); END
            """
    }
}
