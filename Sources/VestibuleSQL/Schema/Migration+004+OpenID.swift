extension Migration {
    /// Applications that sign people in by OpenID Connect.
    package static let openID = Migration(
        number: 4, name: "openid",
        statements: [
            """
            CREATE TABLE rsa_signing_keys (
                id TEXT COLLATE "C" PRIMARY KEY CHECK (length(id) = 43),
                sealed BYTEA NOT NULL CHECK (length(sealed) > 0),
                created_at BIGINT NOT NULL CHECK (created_at >= 0),
                signs_from BIGINT NOT NULL UNIQUE CHECK (signs_from >= created_at)
            )
            """,
            """
            CREATE TABLE client_secrets (
                id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
                digest BYTEA NOT NULL UNIQUE CHECK (length(digest) = 32),
                application TEXT COLLATE "C" NOT NULL CHECK (application <> ''),
                created_at BIGINT NOT NULL CHECK (created_at >= 0)
            )
            """,
            "CREATE INDEX client_secrets_by_application ON client_secrets (application, created_at)",
            """
            CREATE TABLE application_consents (
                account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                application TEXT COLLATE "C" NOT NULL CHECK (application <> ''),
                scopes TEXT NOT NULL CHECK (scopes <> ''),
                given_at BIGINT NOT NULL CHECK (given_at >= 0),
                PRIMARY KEY (account_id, application)
            )
            """,
            """
            CREATE TABLE client_codes (
                digest BYTEA PRIMARY KEY CHECK (length(digest) = 32),
                application TEXT COLLATE "C" NOT NULL CHECK (application <> ''),
                redirect TEXT COLLATE "C" NOT NULL CHECK (redirect <> ''),
                challenge TEXT COLLATE "C" CHECK (length(challenge) = 43),
                nonce TEXT,
                scopes TEXT NOT NULL CHECK (scopes <> ''),
                session_id TEXT COLLATE "C" NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                session_token BYTEA NOT NULL CHECK (length(session_token) = 32),
                expires_at BIGINT NOT NULL CHECK (expires_at >= 0),
                spent_at BIGINT CHECK (spent_at >= 0)
            )
            """,
            "CREATE INDEX client_codes_by_session ON client_codes (session_id)",
            "CREATE INDEX client_codes_by_account ON client_codes (account_id)",
            "CREATE INDEX client_codes_by_expiry ON client_codes (expires_at)",
            // Which sessions have entered which clients, each with its family of refresh tokens.
            """
            CREATE TABLE client_sessions (
                session_id TEXT COLLATE "C" NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                application TEXT COLLATE "C" NOT NULL CHECK (application <> ''),
                account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                scopes TEXT NOT NULL CHECK (scopes <> ''),
                entered_at BIGINT NOT NULL CHECK (entered_at >= 0),
                family BYTEA UNIQUE CHECK (length(family) = 32),
                refresh BYTEA CHECK (length(refresh) = 32),
                PRIMARY KEY (session_id, application)
            )
            """,
            "CREATE INDEX client_sessions_by_account ON client_sessions (account_id)",
            """
            CREATE TABLE access_tokens (
                digest BYTEA PRIMARY KEY CHECK (length(digest) = 32),
                session_id TEXT COLLATE "C" NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                application TEXT COLLATE "C" NOT NULL CHECK (application <> ''),
                scopes TEXT NOT NULL CHECK (scopes <> ''),
                expires_at BIGINT NOT NULL CHECK (expires_at >= 0)
            )
            """,
            "CREATE INDEX access_tokens_by_session ON access_tokens (session_id, application)",
            "CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at)",
        ])
}
