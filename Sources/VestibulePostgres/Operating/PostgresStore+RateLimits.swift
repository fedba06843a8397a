import Essentials
package import Foundation
package import Vestibule
import VestibuleSQL

extension PostgresStore {
    package func take(_ claims: [LimitClaim], now: Date) async throws -> LimitRefusal? {
        let each = Self.merged(claims)
        let (making, taking) = Self.statements(each, now)
        let refused = try await writeRelaxedAtOnce(after: [making], taking)
        if let refusal = try Self.refusal(each, refused) { return refusal }
        if sweep.isDue(after: claims.count) { try await write(.relaxed) { try dropLeastFilled(now: now.ms, $0) } }
        return nil
    }

    package func take(_ claims: [LimitClaim], now: Date, _ connection: PostgresConnection) throws {
        guard !claims.isEmpty else { return }
        let each = Self.merged(claims)
        let (making, taking) = Self.statements(each, now)
        connection.later(making.sql, making.parameters)
        let refused = try connection.all(taking.sql, taking.parameters)
        if let refusal = try Self.refusal(each, refused) { throw refusal }
    }

    /// The first claim that is refused, if any.
    private static func refusal(_ claims: [LimitClaim], _ refused: [PostgresRow]) throws -> LimitRefusal? {
        let arrivals = try Dictionary(
            refused.map { (try $0.bytes("key"), try $0["arrival"] as Int64) }, uniquingKeysWith: max)
        for claim in claims {
            guard let arrival = arrivals[claim.key] else { continue }
            return LimitRefusal(key: claim.key, until: Date(ms: arrival + claim.interval - claim.burst))
        }
        return nil
    }

    package func giveBack(_ claims: [LimitClaim], _ connection: PostgresConnection) throws {
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

    /// Counters that are not there yet, and empty, so that the next statement sees all of them as
    /// they are. As there, the order of their keys is kept: two that want the same counters do not
    /// wait for each other in a circle, unless a purge takes one away in between.
    private static let making = """
        INSERT INTO rate_limits (key, arrival, burst)
        SELECT key, $1, CASE WHEN NOT everybody THEN burst END
        FROM unnest($2, $3, $4) AS claims (key, burst, everybody) ORDER BY key
        ON CONFLICT DO NOTHING
        """

    /// All claims, or none when it returns rows: the counters that are used up.
    private static let taking = """
        WITH claims AS MATERIALIZED (
            SELECT key, cost, burst, everybody
            FROM unnest($2, $3, $4, $5) AS claims (key, cost, burst, everybody)
        ), locked AS MATERIALIZED (
            SELECT key, arrival FROM rate_limits WHERE key = ANY ($2) ORDER BY key FOR UPDATE
        ), used AS MATERIALIZED (
            SELECT key, cost, claims.burst, everybody, locked.arrival,
                CASE WHEN locked.arrival BETWEEN $1 AND $1 + claims.burst + \(LimitClaim.clockTolerance)
                    THEN locked.arrival ELSE $1 END AS since
            FROM claims LEFT JOIN locked USING (key)
        ), refused AS MATERIALIZED (
            SELECT key, arrival FROM used WHERE since > $1 AND since + cost - $1 > burst
        ), taken AS (
            INSERT INTO rate_limits (key, arrival, burst)
            SELECT key, since + cost, CASE WHEN NOT everybody THEN burst END FROM used
            WHERE NOT EXISTS (SELECT FROM refused) ORDER BY key
            ON CONFLICT (key) DO UPDATE SET (arrival, burst) = (excluded.arrival, excluded.burst)
        )
        SELECT key, arrival FROM refused
        """

    private static func statements(
        _ each: [LimitClaim], _ now: Date
    ) -> (making: PostgresStatement, taking: PostgresStatement) {
        let (keys, costs, bursts) = (each.map(\.key), each.map(\.interval), each.map(\.burst))
        let everybody = each.map(\.countsEverybody)
        return (
            PostgresStatement(sql: making, parameters: [now.ms, keys, bursts, everybody]),
            PostgresStatement(sql: taking, parameters: [now.ms, keys, costs, bursts, everybody])
        )
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
            [now, LimitClaim.clockTolerance, count - CounterSweep.countersAtMost])
    }
}
