extension Migration {
    /// What other programs are told of, with an engine's own triggers.
    package static func signals(_ triggers: [String]) -> Migration {
        Migration(number: 3, name: "signals", statements: tables + triggers)
    }

    private static let tables = [
        // `number` tells which row is older; `due_at` 0 is at once, NULL is never again.
        """
        CREATE TABLE signals (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            target TEXT COLLATE "C" NOT NULL CHECK (target <> ''),
            event TEXT COLLATE "C" NOT NULL CHECK (event <> ''),
            account_id TEXT COLLATE "C" NOT NULL CHECK (account_id <> ''),
            session_id TEXT COLLATE "C" CHECK (session_id <> ''),
            created_at BIGINT NOT NULL CHECK (created_at >= 0),
            due_at BIGINT DEFAULT 0 CHECK (due_at >= 0),
            attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            failure TEXT,
            leased_by TEXT COLLATE "C" CHECK (leased_by <> ''),
            number BIGINT GENERATED ALWAYS AS IDENTITY,
            CHECK (leased_by IS NULL OR due_at IS NOT NULL)
        )
        """,
        "CREATE INDEX signals_by_due ON signals (target, due_at, number) WHERE due_at IS NOT NULL",
        "CREATE INDEX signals_by_account ON signals (target, account_id, number) WHERE due_at IS NOT NULL",
        // Who is told of what, by the settings of the server that started last.
        """
        CREATE TABLE signal_targets (
            event TEXT COLLATE "C" NOT NULL CHECK (event <> ''),
            target TEXT COLLATE "C" NOT NULL CHECK (target <> ''),
            PRIMARY KEY (event, target)
        )
        """,
    ]
}

/// A change of a row that a signal tells of, whatever statement made it: triggers write the signal
/// in the same transaction, for each target that is told of the event.
package struct SignalSource: Sendable {
    package let event: String
    package let table: String
    /// With its columns for an update.
    package let change: String
    /// A condition on OLD and NEW.
    package var when: String?
    package var account = "account_id"
    package var session: String?
    /// Not told of what goes with its account.
    package var isOfLivingAccount = false
    /// The one target that is told, an expression on the row; nil if each is.
    package var target: String?

    /// The row that is told of.
    package var row: String { change == "DELETE" ? "OLD" : "NEW" }

    package static let all =
        accounts + sessions + factors + [
            SignalSource(
                event: "groups.changed", table: "security_events", change: "INSERT", when: "NEW.kind = 'groups_changed'"
            )
        ]

    private static let accounts = [
        SignalSource(event: "account.created", table: "accounts", change: "INSERT", account: "id"),
        SignalSource(
            event: "account.changed", table: "accounts",
            change: "UPDATE OF email, display_name, verified_at",
            when: """
                OLD.email <> NEW.email OR OLD.display_name <> NEW.display_name
                OR OLD.verified_at IS NULL AND NEW.verified_at IS NOT NULL
                """, account: "id"),
        SignalSource(
            event: "account.disabled", table: "accounts", change: "UPDATE OF disabled_at",
            when: "OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL", account: "id"),
        SignalSource(
            event: "account.enabled", table: "accounts", change: "UPDATE OF disabled_at",
            when: "OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL", account: "id"),
        SignalSource(event: "account.deleted", table: "accounts", change: "DELETE", account: "id"),
    ]

    private static let sessions = [
        SignalSource(event: "session.started", table: "sessions", change: "INSERT", session: "id"),
        SignalSource(event: "session.ended", table: "sessions", change: "DELETE", session: "id"),
    ]

    /// A passkey that counts for nothing beside the password is no factor.
    private static let factors = [
        SignalSource(event: "factor.added", table: "passkeys", change: "INSERT", when: "NEW.is_second_factor"),
        SignalSource(
            event: "factor.added", table: "passkeys", change: "UPDATE OF is_second_factor",
            when: "NOT OLD.is_second_factor AND NEW.is_second_factor"),
        SignalSource(
            event: "factor.removed", table: "passkeys", change: "UPDATE OF is_second_factor",
            when: "OLD.is_second_factor AND NOT NEW.is_second_factor"),
        SignalSource(
            event: "factor.removed", table: "passkeys", change: "DELETE", when: "OLD.is_second_factor",
            isOfLivingAccount: true),
        SignalSource(event: "factor.added", table: "factor_keys", change: "INSERT"),
        SignalSource(
            event: "factor.removed", table: "factor_keys", change: "DELETE", isOfLivingAccount: true),
    ]

    /// `id` and `now` are the engine's words for a new id and for milliseconds since 1970.
    package func insertion(id: String, now: String) -> String {
        let living = isOfLivingAccount ? " AND EXISTS (SELECT 1 FROM accounts WHERE id = \(row).\(account))" : ""
        let told = target.map { " AND target = \($0)" } ?? ""
        return """
            INSERT INTO signals (id, target, event, account_id, session_id, created_at)
            SELECT \(id), target, event, \(row).\(account), \(session.map { "\(row).\($0)" } ?? "NULL"), \(now)
            FROM signal_targets WHERE event = '\(event)'\(told)\(living);
            """
    }
}
