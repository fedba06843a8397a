extension Migration {
    /// When passwords and identities were used last, and passwords set.
    static let useOfWays = Migration(
        number: 5, name: "use of ways in",
        statements: [
            "ALTER TABLE identities ADD COLUMN last_used_at bigint CHECK (last_used_at >= created_at)",
            """
            CREATE TABLE password_times (
                account_id text COLLATE "C" PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                set_at bigint CHECK (set_at >= 0),
                last_used_at bigint CHECK (last_used_at >= 0)
            )
            """,
        ])
}
