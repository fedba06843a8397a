import Essentials
import Foundation
package import Vestibule
import VestibuleSQL

extension PostgresStore {
    /// Rows deleted in one transaction: after an attack there are a million.
    private static let purgedAtOnce = 500
    /// They are small, and many.
    private static let changesPurgedAtOnce = 5_000
    /// Pages of 8 KiB that one statement reads.
    private static let pagesAtOnce = 1000

    /// Another node is purging.
    private struct PurgedElsewhere: Error {}

    package func purge(_ bounds: PurgeBounds) async throws {
        do {
            for rows in ExpiredRows.all(bounds) { try await delete(rows) }
            try await deleteIdleSessions(bounds.now)
            while try await deleteChanges() {}
            try await sumUpVisits(bounds.now)
        } catch is PurgedElsewhere {}
    }

    /// No index helps here: the table is read in stretches.
    private func deleteIdleSessions(_ now: Date) async throws {
        let pages = try await read { connection in
            try connection.one("SELECT pg_relation_size('sessions') / 8192 AS pages")?["pages"] as Int? ?? 0
        }
        for start in stride(from: 0, through: pages, by: Self.pagesAtOnce) {
            try await delete(
                .idleSessions(now), and: "AND ctid >= $2::tid AND ctid < $3::tid",
                ["(\(start),0)", "(\(start + Self.pagesAtOnce),0)"])
        }
    }

    /// By the server's clock, which wrote their times. Notes how far, so that a node that reads
    /// later learns that something is missing. A dump brings its old cluster's numbers: while they
    /// are above any here, no read is complete. So none is kept above the current transaction's.
    /// In portions, as the server ends what takes too long. Returns false when there were none.
    private func deleteChanges() async throws -> Bool {
        try await write(.relaxed) { connection in
            try connection.run(
                """
                WITH purged AS (
                    DELETE FROM cache_changes WHERE ctid = ANY (ARRAY (
                        SELECT ctid FROM cache_changes WHERE changed_at < now() - make_interval(secs => $1::bigint)
                        LIMIT \(Self.changesPurgedAtOnce)
                    ))
                    RETURNING transaction
                )
                INSERT INTO cache_horizon AS horizon (one, purged_through)
                SELECT 1, least(transaction, pg_current_xact_id()) FROM purged ORDER BY transaction DESC LIMIT 1
                ON CONFLICT (one) DO UPDATE
                SET purged_through =
                    greatest(least(horizon.purged_through, pg_current_xact_id()), excluded.purged_through)
                """,
                [ChangeLog.keptForSeconds]) > 0
        }
    }

    /// In portions, each a transaction of its own. A row that somebody works with is passed over:
    /// it waits for the next time.
    private func delete(
        _ rows: ExpiredRows, and place: String = "", _ more: [any SQLParameter] = []
    ) async throws {
        var count = 0
        repeat {
            count = try await write(.relaxed) { connection in
                guard try AdvisoryLock.purge.isFree(connection) else { throw PurgedElsewhere() }
                return try connection.run(
                    """
                    DELETE FROM \(rows.table) WHERE ctid = ANY (ARRAY (
                        SELECT ctid FROM \(rows.table) WHERE \(rows.condition) \(place)
                        LIMIT \(Self.purgedAtOnce) FOR UPDATE SKIP LOCKED
                    ))
                    """,
                    [rows.bound.ms] + more)
            }
        } while count == Self.purgedAtOnce
    }
}
