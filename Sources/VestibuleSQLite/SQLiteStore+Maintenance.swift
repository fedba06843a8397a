package import Foundation
import GRDB
import Vestibule

extension SQLiteStore {
    /// Days a row of failures in a row, or a mail that failed for good, is kept without change.
    private static let keepFailures: TimeInterval = 90 * 86_400
    private static let keepFailedMails: TimeInterval = 7 * 86_400

    package func purge(now: Date, keepEventsSince: Date) async throws {
        let statements: [(String, Date)] = [
            ("DELETE FROM sessions WHERE expires_at <= ?", now),
            ("DELETE FROM sessions WHERE last_seen_at + idle_ms <= ?", now),
            ("DELETE FROM pending_signups WHERE expires_at <= ?", now),
            ("DELETE FROM pending_resets WHERE expires_at <= ?", now),
            ("DELETE FROM pending_email_changes WHERE expires_at <= ?", now),
            ("DELETE FROM used_tokens WHERE expires_at <= ?", now),
            ("DELETE FROM email_undos WHERE expires_at <= ?", now),
            ("DELETE FROM outbox WHERE failure = '\(Self.mailToNobody)' AND created_at <= ?", now),
            ("DELETE FROM rate_limits WHERE arrival <= ?", now),
            ("DELETE FROM login_failures WHERE last_at <= ?", now.addingTimeInterval(-Self.keepFailures)),
            ("DELETE FROM security_events WHERE at <= ?", keepEventsSince),
            (
                "DELETE FROM outbox WHERE due_at IS NULL AND created_at <= ?",
                now.addingTimeInterval(-Self.keepFailedMails)
            ),
        ]
        for (sql, before) in statements {
            try await writeRelaxed { database in
                try database.run(sql, [before.ms])
            }
        }
        cache.empty()
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
