import Essentials
package import Foundation
package import Vestibule

extension PostgresStore {
    /// Rows deleted in one transaction: after an attack there are a million.
    private static let purgedAtOnce = 500
    /// Pages of 8 KiB that one statement reads.
    private static let pagesAtOnce = 1000

    /// Another node is at it.
    private struct PurgedElsewhere: Error {}

    package func purge(_ bounds: PurgeBounds) async throws {
        do {
            try await purgeSessions(bounds.now)
            try await purgeFlows(bounds.now)
            try await purgeOperation(bounds)
        } catch is PurgedElsewhere {}
    }

    private func purgeSessions(_ now: Date) async throws {
        try await delete("sessions", where: "expires_at <= $1", now)
        // No index helps here: the table is read in stretches.
        let pages = try await read { connection in
            try connection.one("SELECT pg_relation_size('sessions') / 8192 AS pages")?["pages"] as Int? ?? 0
        }
        for start in stride(from: 0, through: pages, by: Self.pagesAtOnce) {
            try await delete(
                "sessions", where: "last_seen_at + idle_ms <= $1 AND ctid >= $2::tid AND ctid < $3::tid", now,
                ["(\(start),0)", "(\(start + Self.pagesAtOnce),0)"])
        }
    }

    private func purgeFlows(_ now: Date) async throws {
        let tables = [
            "pending_signups", "pending_resets", "pending_email_changes", "pending_email_undos", "pending_logins",
            "handover_tickets", "used_tokens", "held_forms", "trusted_browsers", "email_undos",
        ]
        for table in tables { try await delete(table, where: "expires_at <= $1", now) }
    }

    private func purgeOperation(_ bounds: PurgeBounds) async throws {
        try await delete("outbox", where: "failure = '\(Self.mailToNobody)' AND created_at <= $1", bounds.now)
        try await delete("rate_limits", where: "arrival <= $1", bounds.now)
        try await delete("login_failures", where: "last_at <= $1", bounds.failures)
        try await delete("wrong_codes", where: "(hour + 25) * \(FailureCount.hour) <= $1", bounds.now)
        try await delete("security_events", where: "at <= $1", bounds.events)
        try await delete("outbox", where: "due_at IS NULL AND created_at <= $1", bounds.failedMails)
        try await delete("machine_tokens", where: "expires_at <= $1", bounds.machineTokens)
        try await delete("nodes", where: "last_seen_at <= $1", bounds.nodes)
        try await deleteChanges()
        try await delete("signing_keys", where: Self.isFollowed, bounds.signingKeys)
    }

    /// By the server's clock, which wrote their times. Notes how far, so that a node that reads
    /// later learns that something is missing.
    private func deleteChanges() async throws {
        _ = try await writeRelaxed { connection in
            try connection.run(
                """
                WITH purged AS (
                    DELETE FROM cache_changes WHERE changed_at < now() - make_interval(secs => $1::bigint)
                    RETURNING transaction
                )
                INSERT INTO cache_horizon AS horizon (one, purged_through)
                SELECT 1, transaction FROM purged ORDER BY transaction DESC LIMIT 1
                ON CONFLICT (one) DO UPDATE
                SET purged_through = greatest(horizon.purged_through, excluded.purged_through)
                """,
                [ChangeLog.keptForSeconds])
        }
    }

    /// In portions, each a transaction of its own. A row that somebody works with is passed over:
    /// it waits for the next time.
    private func delete(
        _ table: String, where isOver: String, _ before: Date, _ more: [any PostgresParameter] = []
    ) async throws {
        var count = 0
        repeat {
            count = try await writeRelaxed { connection in
                guard try AdvisoryLock.purge.isFree(connection) else { throw PurgedElsewhere() }
                return try connection.run(
                    """
                    DELETE FROM \(table) WHERE ctid = ANY (ARRAY (
                        SELECT ctid FROM \(table) WHERE \(isOver) LIMIT \(Self.purgedAtOnce) FOR UPDATE SKIP LOCKED
                    ))
                    """,
                    [before.ms] + more)
            }
        } while count == Self.purgedAtOnce
    }

    /// Waits for the standby: what cannot be acknowledged cannot work.
    package func checkWritable(now: Date) async throws {
        _ = try await writePlain { connection in
            try connection.run(
                "INSERT INTO heartbeat (one, at) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET at = excluded.at",
                [now.ms])
        }
    }
}
