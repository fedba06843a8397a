extension Migration {
    /// What a ticket is bound to besides its session, since when a passkey that a browser made by
    /// itself counts as a second factor, and which changes read caches are no longer told of.
    static let presentedTokens = Migration(
        number: 4, name: "presented tokens",
        statements: [
            "ALTER TABLE handover_tickets ADD COLUMN session_token bytea CHECK (length(session_token) = 32)",
            "ALTER TABLE passkeys ADD COLUMN second_factor_since bigint CHECK (second_factor_since >= created_at)",
            """
            CREATE TABLE cache_horizon (
                one integer PRIMARY KEY CHECK (one = 1),
                purged_through xid8 NOT NULL
            )
            """,
        ])
}
