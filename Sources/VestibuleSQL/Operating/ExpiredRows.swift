package import Foundation
package import Vestibule

/// Rows of a table that a purge deletes.
package struct ExpiredRows: Sendable {
    package let table: String
    package let key: String
    /// A condition; `$1` is `bound` in milliseconds since 1970.
    package let condition: String
    package let bound: Date

    private init(_ table: String, _ key: String, _ condition: String, _ bound: Date) {
        (self.table, self.key, self.condition, self.bound) = (table, key, condition, bound)
    }

    /// Of all tables, but for sessions that were not used for long: no index finds them.
    package static func all(_ bounds: PurgeBounds) -> [ExpiredRows] {
        expired(bounds.now) + [
            ExpiredRows("outbox", "id", "failure = '\(QueuedMail.toNobody)' AND created_at <= $1", bounds.now),
            ExpiredRows("rate_limits", "key", "arrival <= $1", bounds.now),
            ExpiredRows("login_failures", "key", "last_at <= $1", bounds.failures),
            ExpiredRows("wrong_codes", "hour", "(hour + 25) * \(FailureCount.hour) <= $1", bounds.now),
            ExpiredRows("security_events", "id", "at <= $1", bounds.events),
            // Before the mail about it, without which it would be due.
            ExpiredRows("factor_removals", "account_id", "asked_at <= $1", bounds.failedMails),
            ExpiredRows("outbox", "id", "due_at IS NULL AND created_at <= $1", bounds.failedMails),
            // Of targets that the settings do not have any more, too.
            ExpiredRows("signals", "id", "created_at <= $1", bounds.failedMails),
            ExpiredRows("machine_tokens", "id", "expires_at <= $1", bounds.machineTokens),
            ExpiredRows("nodes", "id", "last_seen_at <= $1", bounds.nodes),
            ExpiredRows("client_codes", "digest", "expires_at <= $1", bounds.spentCodes),
            retired("signing_keys", bounds), retired("rsa_signing_keys", bounds),
        ]
    }

    /// Keys of which another one took over before that time.
    private static func retired(_ table: String, _ bounds: PurgeBounds) -> ExpiredRows {
        ExpiredRows(
            table, "id", "signs_from < (SELECT max(signs_from) FROM \(table) WHERE signs_from <= $1)",
            bounds.signingKeys)
    }

    /// Sessions that were not used for as long as they may rest.
    package static func idleSessions(_ now: Date) -> ExpiredRows {
        ExpiredRows("sessions", "id", "last_seen_at + idle_ms <= $1", now)
    }

    private static func expired(_ now: Date) -> [ExpiredRows] {
        let tables = [
            ("sessions", "id"), ("pending_signups", "flow"), ("pending_resets", "flow"),
            ("pending_email_changes", "flow"), ("pending_email_undos", "flow"), ("pending_logins", "flow"),
            ("handover_tickets", "digest"), ("used_tokens", "digest"), ("held_forms", "digest"),
            ("trusted_browsers", "browser"), ("email_undos", "token"), ("access_tokens", "digest"),
        ]
        return tables.map { ExpiredRows($0, $1, "expires_at <= $1", now) }
    }
}
