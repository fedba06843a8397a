import Essentials
package import Foundation
package import GRDB
package import Vestibule
import VestibuleSQL

extension SQLiteStore {
    package func take(_ claims: [LimitClaim], now: Date) async throws -> LimitRefusal? {
        do {
            try await write(.relaxed) { try take(claims, now: now, $0) }
            return nil
        } catch let refusal as LimitRefusal {
            return refusal
        }
    }

    package func take(_ claims: [LimitClaim], now: Date, _ database: Database) throws {
        for claim in claims { try take(claim, now: now.ms, database) }
        if sweep.isDue(after: claims.count) { try dropLeastFilled(now: now.ms, database) }
    }

    package func giveBack(_ claims: [LimitClaim], _ database: Database) throws {
        for claim in claims {
            try database.run(
                "UPDATE rate_limits SET arrival = arrival - $1 WHERE key = $2", [claim.interval, claim.key])
        }
    }

    /// Makes room: first go counters that are over or were written by a wrong clock, then those
    /// that are filled least. One that is nearly full is the last to go, however short its period,
    /// so that a flood of others gives nobody more tries worth having. One that counts everybody
    /// stays.
    private func dropLeastFilled(now: Int64, _ database: Database) throws {
        let count = try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM rate_limits")) ?? 0
        guard count > CounterSweep.countersAtMost else { return }
        try database.run(
            """
            DELETE FROM rate_limits WHERE key IN (
                SELECT key FROM rate_limits WHERE burst IS NOT NULL
                ORDER BY iif(arrival > $1 + burst + $2, 0.0, 1.0 * (arrival - $1) / burst) LIMIT $3
            )
            """,
            [now, LimitClaim.clockTolerance, count - CounterSweep.countersAtMost]
        )
    }

    private func take(_ claim: LimitClaim, now: Int64, _ database: Database) throws {
        let taken = try database.one(
            """
            INSERT INTO rate_limits (key, arrival, burst) VALUES ($1, $2 + $3, $6)
            ON CONFLICT (key) DO UPDATE SET burst = $6,
                arrival = $3 + iif(arrival > $2 + $4 + $5, $2, greatest(arrival, $2))
            WHERE $3 + iif(arrival > $2 + $4 + $5, $2, greatest(arrival, $2)) - $2 <= $4
            RETURNING arrival
            """,
            [
                claim.key, now, claim.interval, claim.burst, LimitClaim.clockTolerance,
                claim.countsEverybody ? nil : claim.burst,
            ])
        guard taken == nil else { return }
        let arrival = try database.one("SELECT arrival FROM rate_limits WHERE key = $1", [claim.key])
        let until = try (arrival?["arrival"] ?? now) + claim.interval - claim.burst
        throw LimitRefusal(key: claim.key, until: Date(ms: until))
    }
}
