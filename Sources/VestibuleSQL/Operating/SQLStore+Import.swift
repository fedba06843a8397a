package import Vestibule

/// An address was taken while others were being checked.
package struct TakenMeanwhile: Error {
    package let lines: [Int]
}

/// An engine makes the temporary table and stages accounts in it.
extension SQLStore {
    /// The statement that makes the table of the accounts to be imported.
    package static var stagedAccounts: String {
        """
        CREATE TEMPORARY TABLE staged_accounts (
            line BIGINT PRIMARY KEY,
            id TEXT COLLATE "C" NOT NULL,
            email TEXT NOT NULL,
            email_key TEXT COLLATE "C" NOT NULL UNIQUE,
            display_name TEXT NOT NULL,
            password_hash TEXT,
            locale TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            verified_at BIGINT,
            totp BYTEA,
            recovery_key BYTEA,
            recovery_digests BYTEA
        )
        """
    }

    /// Makes the staged accounts, and keeps the event if any was made. Throws `TakenMeanwhile` if
    /// some were not made and may not be skipped. Other writers may wait for the transaction.
    package func makeStaged(
        skipTaken: Bool, event: SecurityEvent, _ connection: Connection
    ) throws -> ImportCompletion {
        let made = try connection.run(
            """
            INSERT INTO accounts (
                id, email, email_key, display_name, password_hash, locale, created_at, verified_at
            ) SELECT id, email, email_key, display_name, password_hash, locale, created_at, verified_at
            FROM staged_accounts WHERE true ORDER BY line ON CONFLICT (email_key) DO NOTHING
            """)
        try makeFactors(connection)
        let staged: Int = try connection.one("SELECT count(*) AS count FROM staged_accounts")?["count"] ?? 0
        let taken = made < staged ? try takenLines(connection) : []
        guard taken.isEmpty || skipTaken else { throw TakenMeanwhile(lines: taken) }
        if made > 0 { try insert(event, connection) }
        return .done(made, taken: taken)
    }

    private func takenLines(_ connection: Connection) throws -> [Int] {
        try connection.all(
            """
            SELECT line FROM staged_accounts
            WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = staged_accounts.id) ORDER BY line
            """
        ).map { try $0["line"] }
    }

    /// Factors of the accounts that were made. `recovery_digests` is digests of 32 bytes, joined.
    private func makeFactors(_ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO factor_keys (account_id, kind, sealed, counter, created_at)
            SELECT id, 'totp', totp, 0, created_at FROM staged_accounts
            WHERE totp IS NOT NULL AND id IN (SELECT id FROM accounts)
            """)
        try connection.run(
            """
            INSERT INTO factor_keys (account_id, kind, sealed, counter, created_at)
            SELECT id, 'recovery_code', recovery_key, length(recovery_digests) / 32, created_at
            FROM staged_accounts WHERE recovery_key IS NOT NULL AND id IN (SELECT id FROM accounts)
            """)
        try connection.run(
            """
            WITH RECURSIVE places (start) AS (
                SELECT 1 UNION ALL SELECT start + 32 FROM places
                WHERE start + 32 <= (SELECT max(length(recovery_digests)) FROM staged_accounts)
            )
            INSERT INTO factor_codes (account_id, kind, digest)
            SELECT id, 'recovery_code', substr(recovery_digests, start, 32) FROM staged_accounts, places
            WHERE recovery_key IS NOT NULL AND start <= length(recovery_digests) AND id IN (SELECT id FROM accounts)
            """)
    }
}
