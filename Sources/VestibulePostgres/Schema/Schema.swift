import Vestibule
import VestibuleSQL

/// The numbered migrations, forward only.
enum Schema {
    /// From the oldest to the newest.
    static let migrations: [Migration] = [
        .first(and: hotRows + Migration.cacheChanges), .trustedBrowsers, .signals(Migration.signalTriggers),
        .openID, .logouts(Migration.triggers(SignalSource.logouts, from: SignalSource.all.count + 1)),
        .pendingLogins(pendingLogins),
    ]

    /// Rows that are written again and again: their pages have room, and no index holds what
    /// changes (HOT).
    private static let hotRows = [
        "CREATE INDEX sessions_by_account ON sessions (account_id)", "ALTER TABLE sessions SET (fillfactor = 85)",
        "ALTER TABLE login_failures SET (fillfactor = 70)", "ALTER TABLE rate_limits SET (fillfactor = 70)",
    ]

    private static let pendingLogins = [
        """
        ALTER TABLE pending_logins DROP CONSTRAINT pending_logins_proved_by_check,
            ADD CONSTRAINT pending_logins_proved_by_check CHECK (proved_by IN ('password', 'provider', 'passkey'))
        """
    ]

    /// Those that have run, by number.
    static let table = """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            number bigint PRIMARY KEY,
            name text NOT NULL,
            applied_at bigint NOT NULL,
            only_adds boolean NOT NULL DEFAULT false
        )
        """

    /// The migrations that have run; none in an empty database.
    static func applied(_ connection: PostgresConnection) throws -> AppliedMigrations {
        guard try exists("schema_migrations", connection) else { return AppliedMigrations() }
        let rows = try connection.all("SELECT number, only_adds FROM schema_migrations")
        return try rows.reduce(into: AppliedMigrations()) { applied, row in
            applied.onlyAdd[try row["number"] as Int64] = try row["only_adds"] as Bool
        }
    }

    static func exists(_ table: String, _ connection: PostgresConnection) throws -> Bool {
        try connection.one("SELECT to_regclass($1) IS NOT NULL AS found", [table])?["found"] ?? false
    }
}

/// The migrations that have run on a database.
struct AppliedMigrations: Sendable {
    /// By number, whether the version before it can go on serving.
    var onlyAdd: [Int64: Bool] = [:]

    var isEmpty: Bool { onlyAdd.isEmpty }

    func contains(_ number: Int64) -> Bool { onlyAdd[number] != nil }

    /// A newer version has been here when a migration is not known, unless all it did was to add:
    /// then it serves beside this one, while nodes are replaced one by one.
    var age: SchemaAge {
        let known = Set(Schema.migrations.map(\.number))
        guard onlyAdd.allSatisfy({ known.contains($0.key) || $0.value }) else { return .newer }
        let pending = known.count { !contains($0) }
        return pending == 0 ? .current : .older(pending: pending)
    }
}
