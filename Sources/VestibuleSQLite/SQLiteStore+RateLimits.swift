package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func take(_ claims: [LimitClaim], now: Date) async throws -> LimitRefusal? {
        do {
            try await writeRelaxed { database in
                for claim in claims { try take(claim, now: now.ms, database) }
                if sweep.isDue(after: claims.count) { try dropLeastUsed(now: now.ms, database) }
            }
            return nil
        } catch let refused as ClaimRefused {
            return refused.refusal
        }
    }

    package func giveBack(_ claims: [LimitClaim]) async throws {
        try await writeRelaxed { database in try giveBack(claims, database) }
    }

    func giveBack(_ claims: [LimitClaim], _ database: Database) throws {
        for claim in claims {
            try database.run(
                "UPDATE rate_limits SET arrival = arrival - ? WHERE key = ?",
                [claim.interval, claim.key.data]
            )
        }
    }

    /// So many counters are kept, however many addresses are tried.
    private static let countersAtMost = 16_384
    /// What lies further ahead, in milliseconds, is of a long limit or a wrong clock; it does not crowd out the others.
    private static let sweptAhead: Int64 = 86_400_000

    /// Makes room: first goes what is over, then what was used least. A counter that is nearly full is the last to go, so
    /// that a flood of others gives nobody more tries worth having.
    private func dropLeastUsed(now: Int64, _ database: Database) throws {
        let most = Self.countersAtMost + 4 * CounterSweep.every
        let row = try Row.fetchOne(
            database,
            cachedSQL: "SELECT count(*) AS count FROM (SELECT 1 FROM rate_limits WHERE arrival <= ? LIMIT \(most))",
            [now + Self.sweptAhead]
        )
        let excess = (row?["count"] ?? 0) - Self.countersAtMost
        guard excess > 0 else { return }
        try database.run(
            """
            DELETE FROM rate_limits WHERE key IN (
                SELECT key FROM rate_limits WHERE arrival <= ? ORDER BY arrival LIMIT ?
            )
            """,
            [now + Self.sweptAhead, excess]
        )
    }

    /// Thrown inside the transaction so that the claims taken before are rolled back.
    private struct ClaimRefused: Error {
        let refusal: LimitRefusal
    }

    /// An arrival further ahead than a burst and a minute was written by a wrong clock, in milliseconds.
    private static let clockTolerance: Int64 = 60_000

    private func take(_ claim: LimitClaim, now: Int64, _ database: Database) throws {
        let taken = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    INSERT INTO rate_limits (key, arrival) VALUES (?1, ?2 + ?3)
                    ON CONFLICT (key) DO UPDATE SET arrival = ?3 + iif(arrival > ?2 + ?4 + ?5, ?2, max(arrival, ?2))
                    WHERE ?3 + iif(arrival > ?2 + ?4 + ?5, ?2, max(arrival, ?2)) - ?2 <= ?4
                    RETURNING arrival
                    """
            ),
            arguments: [claim.key.data, now, claim.interval, claim.burst, Self.clockTolerance]
        )
        guard taken == nil else { return }
        let arrival = try Int64.fetchOne(
            database, sql: "SELECT arrival FROM rate_limits WHERE key = ?", arguments: [claim.key.data]
        )
        let until = (arrival ?? now) + claim.interval - claim.burst
        throw ClaimRefused(refusal: LimitRefusal(key: claim.key, until: Date(ms: until)))
    }
}
