import GRDB

extension Migration {
    /// What a ticket is bound to besides its session, and since when a passkey that a browser made
    /// by itself counts as a second factor.
    static let presentedTokens = Migration(
        "020 presented tokens",
        "ALTER TABLE handover_tickets ADD COLUMN session_token BLOB CHECK (length(session_token) = 32)",
        "ALTER TABLE passkeys ADD COLUMN second_factor_since INTEGER CHECK (second_factor_since >= created_at)"
    )
}
