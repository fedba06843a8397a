package import Essentials
package import Vestibule

extension PostgresStore {
    package func lock(_ accountID: AccountID, _ connection: PostgresConnection) throws {
        _ = try connection.one("SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountID])
    }

    /// After the commit.
    package func endOldest(besides new: Session, _ connection: PostgresConnection) {
        connection.afterCommit(Self.endOldest(besides: new))
    }

    /// Keeps as many sessions of the account as one may have. After the commit: what it reads would
    /// otherwise make transactions fail that start sessions of neighbours in an index (SSI). Nobody
    /// was told that they ended, so it need not survive the loss of the server. Those that another
    /// login is just ending are left to it. A refresh of tokens may hold rows of such a session,
    /// and then ask for the session's row: so this waits 20 ms at most, and leaves all to the next
    /// login. Otherwise both would wait until the server finds the deadlock.
    static func endOldest(besides new: Session) -> FollowUp {
        FollowUp(
            // To look costs a third of a DELETE that finds nothing.
            reason: PostgresStatement(
                sql: "SELECT 1 FROM sessions WHERE account_id = $1 OFFSET \(Session.mostPerAccount) LIMIT 1",
                parameters: [new.accountID]),
            statement: PostgresStatement(
                sql: """
                    WITH settings AS MATERIALIZED (
                        SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '20ms', true)
                    )
                    DELETE FROM sessions USING settings WHERE id = ANY (ARRAY (
                        SELECT id FROM sessions WHERE id = ANY (ARRAY (
                            SELECT id FROM sessions WHERE account_id = $1
                            ORDER BY id = $2 DESC, last_seen_at DESC OFFSET \(Session.mostPerAccount)
                        )) FOR UPDATE SKIP LOCKED
                    ))
                    """,
                parameters: [new.accountID, new.id]))
    }
}
