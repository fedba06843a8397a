/// A value of a column, as every engine can keep it. A boolean is 0 or 1.
package enum CopiedValue: Sendable, Hashable {
    case none
    case number(Int64)
    case text(String)
    case bytes([UInt8])

    fileprivate var shown: String {
        switch self {
        case .none: "missing"
        case .number(let number): "\(number)"
        case .text(let text): text
        case .bytes(let bytes): "of \(bytes.count) bytes"
        }
    }
}

/// The values of a row, in the order of its table's columns.
package typealias CopiedRow = [CopiedValue]

/// A table that is moved from one engine to another.
package struct CopiedTable: Sendable, Hashable {
    package let name: String
    /// Sorted by name, so that two engines tell of them alike. Without the number by which an
    /// engine knows the order of rows.
    package let columns: [String]
    /// Names a row.
    package let key: [String]

    package init(name: String, columns: [String], key: [String]) {
        (self.name, self.columns, self.key) = (name, columns.sorted(), key)
    }

    /// Names a row for messages, by its key.
    package func named(_ row: CopiedRow) -> String {
        let parts = key.map { column in
            let value = columns.firstIndex(of: column).map { row[$0] }
            return "\(column) \(value?.shown ?? "")"
        }
        return parts.joined(separator: ", ")
    }

    /// All there are, in the order of their foreign keys; `replaced` last.
    package static let names = [
        "accounts", "consents", "identities", "email_undos", "sessions", "application_sessions", "handover_tickets",
        "sign_in_summaries", "pending_signups", "pending_resets", "pending_email_changes", "pending_email_undos",
        "outbox", "signals", "security_events", "used_tokens", "login_failures", "rate_limits", "wrong_codes",
        "signing_keys",
        "account_groups", "machine_tokens", "passkey_users", "passkeys", "factor_keys", "factor_codes",
        "trusted_browsers", "pending_logins", "held_forms", "factor_removals", "password_times", "rsa_signing_keys",
        "client_secrets", "application_consents", "client_codes", "client_sessions", "access_tokens", "database_id",
        "signal_targets",
    ]
    /// Of the running servers, which write them at each start: they stay where they are.
    package static let leftOut: Set = [
        "heartbeat", "nodes", "cache_changes", "cache_horizon", "schema_migrations",
        "grdb_migrations",
    ]
    /// Their rows are shown in the order in which they were made.
    package static let ordered: Set = ["outbox", "signals", "security_events"]
    /// A new database, or a server that was started on it, has rows of its own there, which are
    /// replaced. They come last: while there are targets, triggers write signals for them.
    static let replaced: Set = ["database_id", "signal_targets"]
}
