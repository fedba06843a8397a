import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    @discardableResult
    package func setSubscriptions(
        _ subscriptions: Set<SignalSubscription>
    ) async throws -> Set<SignalSubscription> {
        try await write { connection in
            let present = Set(try connection.all(Self.subscribed).map(SignalSubscription.init(row:)))
            guard present != subscriptions else { return [] }
            try connection.later("DELETE FROM signal_targets", [])
            for each in subscriptions {
                try connection.insert(into: "signal_targets", "event, target", [each.event, each.target])
            }
            return present.subtracting(subscriptions)
        }
    }

    package func keepSubscriptions(_ subscriptions: Set<SignalSubscription>) async throws {
        let missing = subscriptions.subtracting(try await self.subscriptions())
        guard !missing.isEmpty else { return }
        try await write { connection in
            for each in missing {
                try connection.run(
                    "INSERT INTO signal_targets (event, target) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                    [each.event, each.target])
            }
        }
    }

    package func subscriptions() async throws -> Set<SignalSubscription> {
        Set(try await select(Self.subscribed, [], SignalSubscription.init(row:)))
    }

    private static var subscribed: String { "SELECT event, target FROM signal_targets" }

    package func takeDueSignal(for target: String, now: Date, lease: MailLease) async throws -> Signal? {
        let parameters: [any SQLParameter] = [target, now.ms, now.addingTimeInterval(Signal.longestWait).ms]
        while try await firstWaits(target, now), try await change(.plain, Self.deferral, [target, now.ms]) > 0 {}
        // Most rounds find nothing, and must not write.
        let isAny = try await readOne { try $0.one("\(Self.oldestDue) LIMIT 1", parameters) != nil }
        guard isAny else { return nil }
        return try await write(.plain) { connection in
            try connection.one(
                """
                UPDATE signals SET due_at = $4, attempts = attempts + 1, leased_by = $5
                WHERE id = (\(Self.oldestDue) ORDER BY due_at, number LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING \(Signal.columns), attempts - 1 AS tries
                """,
                parameters + [lease.until.ms, lease.node]
            ).map(Signal.init(row:))
        }
    }

    /// A lease is a time to come, so a signal that is being sent holds those behind it back. The
    /// unary `+` keeps SQLite from using the index for that term alone: it then reads the index in
    /// order of time, instead of sorting all that wait.
    private static var oldestDue: String {
        """
        SELECT id FROM signals WHERE target = $1 AND due_at IS NOT NULL AND (due_at <= $2 OR +due_at > $3)
            AND NOT EXISTS (
            SELECT 1 FROM signals AS earlier WHERE earlier.target = signals.target
                AND earlier.account_id = signals.account_id AND earlier.due_at IS NOT NULL
                AND earlier.number < signals.number
        )
        """
    }

    /// The signals that are due, in order of time. `behind` is when the oldest signal of the same
    /// account is due, if that one was refused and is due later; otherwise null.
    private static var firstDue: String {
        """
        SELECT id, (
            SELECT CASE WHEN earlier.leased_by IS NULL AND earlier.due_at > signals.due_at THEN earlier.due_at END
            FROM signals AS earlier WHERE earlier.target = signals.target
                AND earlier.account_id = signals.account_id AND earlier.due_at IS NOT NULL
                AND earlier.number < signals.number ORDER BY earlier.number LIMIT 1
        ) AS behind FROM signals WHERE target = $1 AND due_at <= $2 ORDER BY due_at, number
        """
    }

    private func firstWaits(_ target: String, _ now: Date) async throws -> Bool {
        try await readOne { connection in
            let first = try connection.one("\(Self.firstDue) LIMIT 1", [target, now.ms])
            return try first?["behind"] as Int? != nil
        }
    }

    /// Gives signals that wait behind a refused one the time at which that one is due. Otherwise
    /// each take would read all of them again: tens of thousands after an outage.
    private static var deferral: String {
        """
        UPDATE signals SET due_at = late.behind FROM (\(firstDue) LIMIT \(deferredAtOnce)) AS late
        WHERE signals.id = late.id AND late.behind IS NOT NULL AND signals.due_at <= $2
        """
    }

    /// Bounds how long other writers wait.
    private static var deferredAtOnce: Int { 1000 }

    package func signalSent(id: String) async throws {
        try await change(.plain, "DELETE FROM signals WHERE id = $1", [id])
    }

    package func signalFailed(id: String, node: String, reason: String, retryAt: Date?) async throws {
        try await change(
            .plain, "UPDATE signals SET due_at = $1, failure = $2, leased_by = NULL WHERE id = $3 AND leased_by = $4",
            [retryAt?.ms, reason, id, node])
    }

    package func signals(limit: Int) async throws -> [SignalEntry] {
        try await select(
            """
            SELECT \(Signal.columns), attempts AS tries, due_at, leased_by, failure FROM signals
            ORDER BY created_at DESC, id LIMIT $1
            """,
            [limit]
        ) { row in
            SignalEntry(
                signal: try Signal(row: row), state: try OutboxEntry.State(row: row), reason: try row["failure"])
        }
    }

    package func retrySignals(ids: [String]?, now: Date) async throws -> Int {
        let (condition, parameters): (String, [any SQLParameter]) =
            ids.map { ("id = ANY ($1) AND (leased_by IS NULL OR due_at <= $2)", [$0, now.ms]) }
            ?? ("due_at IS NULL", [])
        return try await write(.plain) { connection in
            try connection.later("DELETE FROM signals WHERE \(Self.isTooLate) AND \(condition)", parameters)
            let count = try connection.run(
                """
                UPDATE signals SET due_at = $\(parameters.count + 1), attempts = 0, failure = NULL, leased_by = NULL
                WHERE \(condition)
                """, parameters + [now.ms])
            // What waited with one of them goes on waiting behind it alone.
            try connection.later(
                """
                UPDATE signals SET due_at = $1 WHERE due_at > $1 AND leased_by IS NULL AND EXISTS (
                    SELECT 1 FROM signals AS earlier WHERE earlier.target = signals.target
                        AND earlier.account_id = signals.account_id AND +earlier.due_at = $1
                        AND earlier.number < signals.number)
                """, [now.ms])
            return count
        }
    }

    /// Matches the signals of an account whose deletion the target has been told of.
    private static var isTooLate: String {
        """
        NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = signals.account_id)
            AND target IN (SELECT target FROM signal_targets WHERE event = 'account.deleted')
            AND (target, account_id) NOT IN (SELECT target, account_id FROM signals WHERE event = 'account.deleted')
        """
    }

    package func signalBacklogs() async throws -> [SignalBacklog] {
        try await select(
            """
            SELECT target, count(due_at) AS waiting, count(*) - count(due_at) AS given_up,
                min(CASE WHEN due_at IS NOT NULL THEN created_at END) AS oldest
            FROM signals GROUP BY target ORDER BY target
            """
        ) { row in
            SignalBacklog(
                target: try row["target"], waiting: try row["waiting"], givenUp: try row["given_up"],
                oldest: try row.dateIfAny("oldest"))
        }
    }
}

extension SignalSubscription {
    fileprivate init(row: some SQLRow) throws {
        self.init(event: try row["event"], target: try row["target"])
    }
}

extension Signal {
    /// What `init(row:)` reads, and `tries`.
    fileprivate static let columns = "id, target, event, account_id, session_id, created_at"

    fileprivate init(row: some SQLRow) throws {
        self.init(
            id: try row["id"], target: try row["target"], event: try row["event"], accountID: try row["account_id"],
            sessionID: try row["session_id"], createdAt: try row.date("created_at"), attempts: try row["tries"])
    }
}
