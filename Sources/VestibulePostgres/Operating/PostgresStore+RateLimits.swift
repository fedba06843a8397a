import Essentials
package import Foundation
package import Vestibule

extension PostgresStore {
    package func take(_ claims: [LimitClaim], now: Date) async throws -> LimitRefusal? {
        do {
            try await writeRelaxed { try take(claims, now: now, $0) }
        } catch let refusal as LimitRefusal {
            return refusal
        }
        if sweep.isDue(after: claims.count) { try await writeRelaxed { try dropLeastFilled(now: now.ms, $0) } }
        return nil
    }

    package func giveBack(_ claims: [LimitClaim]) async throws {
        try await writeRelaxed { try giveBack(claims, $0) }
    }

    func giveBack(_ claims: [LimitClaim], _ connection: PostgresConnection) throws {
        guard !claims.isEmpty else { return }
        let claims = Self.merged(claims)
        connection.later(
            """
            WITH locked AS MATERIALIZED (
                SELECT key FROM rate_limits WHERE key = ANY ($1) ORDER BY key FOR UPDATE
            )
            UPDATE rate_limits SET arrival = arrival - claims.cost
            FROM unnest($1, $2) AS claims (key, cost), locked
            WHERE rate_limits.key = claims.key AND locked.key = claims.key
            """,
            [claims.map(\.key), claims.map(\.interval)])
    }

    /// An arrival further ahead than a burst and a minute was written by a wrong clock, in
    /// milliseconds.
    private static let clockTolerance: Int64 = 60_000

    /// All claims in one statement, in the order of their keys: two that want the same counters do
    /// not wait for each other in a circle.
    private static let taking = """
        WITH claims AS MATERIALIZED (
            SELECT key, cost, burst, everybody
            FROM unnest($2, $3, $4, $5) AS claims (key, cost, burst, everybody)
        )
        INSERT INTO rate_limits AS kept (key, arrival, burst)
        SELECT key, $1 + cost, CASE WHEN NOT everybody THEN burst END FROM claims ORDER BY key
        ON CONFLICT (key) DO UPDATE SET burst = excluded.burst, arrival = \(arrival)
        WHERE \(arrival) - $1 <= \(burst)
        RETURNING key
        """
    private static let arrival = """
        excluded.arrival + CASE WHEN kept.arrival BETWEEN $1 AND $1 + \(burst) + \(clockTolerance)
            THEN kept.arrival - $1 ELSE 0 END
        """
    private static let burst = "(SELECT burst FROM claims WHERE claims.key = excluded.key)"

    /// Throws `LimitRefusal`, so that the other claims are rolled back.
    func take(_ claims: [LimitClaim], now: Date, _ connection: PostgresConnection) throws {
        guard !claims.isEmpty else { return }
        let now = now.ms
        let each = Self.merged(claims)
        let taken = try connection.all(
            Self.taking,
            [now, each.map(\.key), each.map(\.interval), each.map(\.burst), each.map(\.countsEverybody)])
        guard taken.count < each.count else { return }
        let keys = Set(try taken.map { try $0.bytes("key") })
        for claim in each where !keys.contains(claim.key) {
            let row = try connection.one("SELECT arrival FROM rate_limits WHERE key = $1", [claim.key])
            let until = (try row?["arrival"] ?? now) + claim.interval - claim.burst
            throw LimitRefusal(key: claim.key, until: Date(ms: until))
        }
    }

    /// One claim a counter: a statement changes no row twice.
    static func merged(_ claims: [LimitClaim]) -> [LimitClaim] {
        var merged: [LimitClaim] = []
        for claim in claims {
            guard let index = merged.firstIndex(where: { $0.key == claim.key }) else {
                merged.append(claim)
                continue
            }
            merged[index] = LimitClaim(
                key: claim.key, interval: merged[index].interval + claim.interval, burst: claim.burst,
                countsEverybody: claim.countsEverybody)
        }
        return merged
    }

    /// Makes room, on one node at a time: first go counters that are over or were written by a
    /// wrong clock, then those that are filled least. One that is nearly full is the last to go,
    /// however short its period, so that a flood of others gives nobody more tries worth having.
    /// One that counts everybody stays.
    private func dropLeastFilled(now: Int64, _ connection: PostgresConnection) throws {
        guard try AdvisoryLock.counters.isFree(connection) else { return }
        let count: Int = try connection.one("SELECT count(*) AS count FROM rate_limits")?["count"] ?? 0
        guard count > CounterSweep.countersAtMost else { return }
        connection.later(
            """
            DELETE FROM rate_limits WHERE key = ANY (ARRAY (
                SELECT key FROM rate_limits WHERE burst IS NOT NULL
                ORDER BY CASE WHEN arrival > $1 + burst + $2 THEN 0 ELSE (arrival - $1)::float8 / burst END
                LIMIT $3 FOR UPDATE SKIP LOCKED
            ))
            """,
            [now, Self.clockTolerance, count - CounterSweep.countersAtMost])
    }
}
