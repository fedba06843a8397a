import Essentials
import Foundation
import GRDB
import Vestibule

/// What strangers' failures write. For an address without an account it is bounded by the time, not
/// by how many there are; for one with an account the same statements are run, so that neither work
/// nor time tells which it is.
extension SQLiteStore {
    static let hour: Int64 = 3_600_000

    /// What the failures in a row are counted under. Addresses without an account share 4,096
    /// counters, which decide nothing.
    static func failuresKey(_ key: [UInt8], hasAccount: Bool) -> [UInt8] {
        hasAccount ? key : key.prefix(2).enumerated().map { $0.offset == 0 ? $0.element : $0.element & 0x0F }
    }

    /// Counts one more failure in a row and keeps the event: the first of an hour for an account
    /// one by one.
    func note(_ failure: SecurityEvent, failuresKey: [UInt8], hasAccount: Bool, _ database: Database) throws {
        let key = Self.failuresKey(failuresKey, hasAccount: hasAccount)
        let hour = failure.at.ms / Self.hour
        let row = try Row.fetchOne(
            database,
            cachedSQL: """
                INSERT INTO login_failures (key, count, last_at, hour, in_hour) VALUES (?1, 1, ?2, ?3, 1)
                ON CONFLICT (key) DO UPDATE SET count = count + 1, last_at = excluded.last_at,
                    in_hour = iif(hour = excluded.hour, in_hour + 1, 1), hour = excluded.hour
                RETURNING in_hour
                """,
            [key.data, failure.at.ms, hour]
        )
        let isKept = failure.accountID != nil && (row?["in_hour"] ?? 0) <= SecurityEvent.failuresKeptAnHour
        try add(isKept ? failure : Self.sum(failure, hour: hour), database)
    }

    /// A new row, or a sum in the place of the one before: either writes the same pages.
    private func add(_ failure: SecurityEvent, _ database: Database) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO security_events (id, kind, account_id, at, address, user_agent, count) VALUES (
                ?1, ?2, ?3, max(?4, coalesce((SELECT at FROM security_events WHERE id = ?1), 0)), ?5, ?6,
                1 + coalesce((SELECT count FROM security_events WHERE id = ?1), 0)
            )
            """,
            [
                failure.id, failure.kind.name, failure.accountID, failure.at.ms, failure.address.text,
                failure.userAgent,
            ]
        )
    }

    /// Everything of one kind and hour is one event: of an account with the last network address,
    /// of all others without.
    private static func sum(_ failure: SecurityEvent, hour: Int64) -> SecurityEvent {
        let isOfAccount = failure.accountID != nil
        return SecurityEvent(
            id: "sum.\(hour).\(failure.kind.name).\(failure.accountID?.rawValue ?? "")", kind: failure.kind,
            accountID: failure.accountID, at: failure.at, address: isOfAccount ? failure.address : nil,
            userAgent: isOfAccount ? failure.userAgent : ""
        )
    }
}
