import VestibuleSQL

extension PostgresStore {
    /// One durable transaction of one statement that sees and changes the database as if it ran
    /// alone (SERIALIZABLE), sent together with its commit: one round trip, unless something is
    /// found to follow. Returns whether it answered with a row.
    ///
    /// A commit whose answer was lost is not looked up: the statement is executed again. It adds
    /// rows that are the same each time, and unique by the constraints `keys`. So if an earlier try
    /// was committed, also on another server since, this one fails there, and if one is still being
    /// committed, this one waits for it.
    func writeAtOnce(
        _ statement: PostgresStatement, keys: Set<String>, then following: [FollowUp] = []
    ) async throws -> Bool {
        defer { changes.didCommit() }
        return try await again { wasLost in
            do {
                return try await heardOut(wasLost) {
                    try await pool.with { try !$0.atOnce(.serializable, statement, then: following).isEmpty }
                }
            } catch let fault as PostgresFault where wasLost && fault.isUnique {
                guard let key = fault.constraint, keys.contains(key) else { throw fault }
                // It was committed, but maybe the standby has not heard of it.
                return try await heardOut {
                    try await pool.with { try $0.waitForStandby() }
                    return true
                }
            }
        }
    }

    /// One transaction, in one round trip, that need not survive the loss of the server. Returns
    /// the rows of the statement. When the answer is lost it is executed again, so it may be done
    /// twice.
    func writeRelaxedAtOnce(
        after earlier: [PostgresStatement], _ statement: PostgresStatement
    ) async throws -> [PostgresRow] {
        try await again { _ in
            try await pool.with { try $0.atOnce(.relaxed, after: earlier, statement) }
        }
    }

    /// Works, and works again when it met another transaction or its connection was lost. `work`
    /// hears whether an answer was lost.
    private func again<Value: Sendable>(_ work: (_ wasLost: Bool) async throws -> Value) async throws -> Value {
        var (backoff, wasLost) = (Backoff(), false)
        return try await guarded {
            while true {
                do {
                    return try await work(wasLost)
                } catch let fault as PostgresFault
                    where (fault.isConflict || fault.endsConnection) && !backoff.isOver(after: fault)
                {
                    wasLost = wasLost || fault.endsConnection
                    try await backoff.wait()
                }
            }
        }
    }
}
