import Foundation
import GRDB
import VestibuleSQL

/// The numbered migrations, forward only.
enum Schema {
    /// From the oldest to the newest.
    static let migrations: [Migration] = [
        .first(and: [
            "CREATE INDEX sessions_by_account ON sessions (account_id, last_seen_at)",
            "CREATE INDEX rate_limits_by_arrival ON rate_limits (arrival)",
        ]),
        .trustedBrowsers, .signals(Migration.signalTriggers), .openID,
        .logouts(Migration.triggers(SignalSource.logouts, from: SignalSource.all.count + 1)),
        .pendingLogins(pendingLogins),
    ]

    /// The table is made anew, as SQLite cannot change a CHECK: pending logins begin again.
    private static let pendingLogins = [
        "DROP TABLE pending_logins",
        """
        CREATE TABLE pending_logins (
            flow BYTEA PRIMARY KEY CHECK (length(flow) = 32),
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            proved_by TEXT NOT NULL CHECK (proved_by IN ('password', 'provider', 'passkey')),
            proved_digest BYTEA CHECK (length(proved_digest) = 32),
            remembered BOOLEAN NOT NULL,
            return_to TEXT,
            attempts BIGINT NOT NULL CHECK (attempts >= 0),
            started_at BIGINT NOT NULL CHECK (started_at >= 0),
            expires_at BIGINT NOT NULL CHECK (expires_at >= started_at)
        )
        """,
        "CREATE INDEX pending_logins_by_account ON pending_logins (account_id)",
        "CREATE INDEX pending_logins_by_expiry ON pending_logins (expires_at)",
    ]

    static let migrator = migrator(migrations)

    static func migrator(_ migrations: [Migration]) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.identifier) { database in
                for statement in migration.statements { try database.execute(sql: spelled(statement)) }
            }
        }
        return migrator
    }

    /// Tables whose rows are not kept in the order of their key: large ones, with other indexes,
    /// those that tell which row is newer, and those whose key is a number.
    private static let unordered: Set = [
        "accounts", "consents", "identities", "sessions", "passkeys", "signing_keys", "rsa_signing_keys",
        "client_secrets", "machine_tokens", "outbox", "signals", "security_events", "wrong_codes", "heartbeat",
        "database_id",
    ]

    /// What SQLite names otherwise. It needs no column that tells which row is newer.
    private static let words = [
        ("BYTEA", "BLOB"), ("BIGINT", "INTEGER"), (" COLLATE \"C\"", ""), (", number)", ")"),
        ("\n    number INTEGER GENERATED ALWAYS AS IDENTITY,", ""),
        ("!~ '[^A-Za-z0-9_.-]'", "NOT GLOB '*[^A-Za-z0-9_.-]*'"),
        ("replace(gen_random_uuid()::text, '-', '')", "lower(hex(randomblob(16)))"),
    ]

    /// The statement as SQLite takes it.
    static func spelled(_ statement: String) -> String {
        // Characters: statements are our own.
        let translated = words.reduce(statement) { $0.replacing($1.0, with: $1.1) }
        // Characters: statements are our own.
        let flagged = translated.replacing(/(\w+) BOOLEAN/) { "\($0.1) INTEGER CHECK (\($0.1) IN (0, 1))" }
        // Characters: statements are our own.
        guard let table = flagged.prefixMatch(of: /CREATE TABLE (\w+)/)?.1 else { return flagged }
        return flagged + (unordered.contains(String(table)) ? " STRICT" : " STRICT, WITHOUT ROWID")
    }
}

extension Migration {
    /// Stands in the database when the step has run.
    var identifier: String { String(format: "%03d ", number) + name }
}
