import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    /// Rows deleted in one transaction: after an attack there are a million, and everybody else
    /// waits behind one of these.
    private static let purgedAtOnce = 500

    package func purge(_ bounds: PurgeBounds) async throws {
        let now = bounds.now
        try await delete("sessions", "id", where: "expires_at <= ?", now)
        try await delete("sessions", "id", where: "last_seen_at + idle_ms <= ?", now)
        let flows = [
            "pending_signups", "pending_resets", "pending_email_changes", "pending_email_undos", "pending_logins",
        ]
        for flows in flows {
            try await delete(flows, "flow", where: "expires_at <= ?", now)
        }
        try await delete("handover_tickets", "digest", where: "expires_at <= ?", now)
        try await delete("used_tokens", "digest", where: "expires_at <= ?", now)
        try await delete("held_forms", "digest", where: "expires_at <= ?", now)
        try await delete("trusted_browsers", "browser", where: "expires_at <= ?", now)
        try await delete("email_undos", "token", where: "expires_at <= ?", now)
        try await delete("outbox", "id", where: "failure = '\(Self.mailToNobody)' AND created_at <= ?", now)
        try await delete("rate_limits", "key", where: "arrival <= ?", now)
        try await delete("login_failures", "key", where: "last_at <= ?", bounds.failures)
        try await delete("wrong_codes", "hour", where: "(hour + 25) * \(FailureCount.hour) <= ?", now)
        try await delete("security_events", "id", where: "at <= ?", bounds.events)
        try await delete("outbox", "id", where: "due_at IS NULL AND created_at <= ?", bounds.failedMails)
        try await delete("machine_tokens", "id", where: "expires_at <= ?", bounds.machineTokens)
        try await delete("nodes", "id", where: "last_seen_at <= ?", bounds.nodes)
        try await delete("signing_keys", "id", where: Self.isFollowed, bounds.signingKeys)
        await cutLog()
    }

    /// Looks for rows without holding the writer, and deletes those that are still so.
    private func delete(_ table: String, _ key: String, where isOver: String, _ before: Date) async throws {
        var keys: [DatabaseValue] = []
        repeat {
            keys = try await read { database in
                try DatabaseValue.fetchAll(
                    database, sql: "SELECT \(key) FROM \(table) WHERE \(isOver) LIMIT \(Self.purgedAtOnce)",
                    arguments: [before.ms])
            }
            guard !keys.isEmpty else { return }
            let over = keys
            try await writeRelaxed { database in
                for row in over {
                    try database.run("DELETE FROM \(table) WHERE \(key) = ? AND \(isOver)", [row, before.ms])
                }
            }
        } while keys.count == Self.purgedAtOnce
    }

    package func checkWritable(now: Date) async throws {
        try await writeRelaxed { database in
            try database.run(
                "INSERT INTO heartbeat (one, at) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET at = excluded.at",
                [now.ms]
            )
        }
    }
}
