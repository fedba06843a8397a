import Foundation
import GRDB
import Testing

@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// What the database refuses whatever a statement says.
struct CheckTests {
    private let database: DatabaseQueue

    init() throws {
        database = try DatabaseQueue()
        try Schema.migrator.migrate(database)
        try database.write(SampleRows.insert)
    }

    /// One change of the sample row for each CHECK of a table.
    static let violations = [
        "accounts": [
            "id = ''", "email = ''", "email_key = ''", "password_hash = ''", "locale = ''", "created_at = -1",
            "verified_at = -1", "disabled_at = -1", "browsers_known_since = -1",
        ],
        "consents": ["id = ''", "text_digest = zeroblob(31)", "locale = ''", "accepted_at = -1"],
        "identities": [
            "id = ''", "provider = ''", "issuer = ''", "subject = ''", "refresh_token = x''", "created_at = -1",
            "last_used_at = created_at - 1",
        ],
        "email_undos": [
            "token = zeroblob(33)", "email = ''", "email_key = ''", "created_at = -1", "expires_at = created_at - 1",
        ],
        "sessions": [
            "id = ''", "token_digest = zeroblob(31)", "created_at = -1", "last_seen_at = created_at - 1",
            "idle_ms = -1", "expires_at = created_at - 1", "remembered = 2", "proved_at = -1",
            "proved_by = 'somebody'", "second_factor = ''", "awaits_terms = -1", "awaits_factor = 2",
        ],
        "sign_in_summaries": ["since = -1", "due_at = since - 1"],
        "pending_signups": [
            "flow = x''", "email = ''", "email_key = ''", "password_hash = ''", "consent_id = ''",
            "terms_digest = x''", "consented_at = -1", "locale = ''", "remembered = 2",
        ] + code,
        "pending_resets": ["flow = x''", "email = ''", "email_key = ''", "locale = ''", "proved = 2"] + code,
        "pending_email_changes": ["flow = x''", "email = ''", "email_key = ''", "mail_id = ''"] + code,
        "pending_email_undos": ["flow = x''", "email_key = ''"] + code,
        "outbox": [
            "id = ''", "sealed = x''", "created_at = -1", "due_at = -1", "attempts = -1", "recipient = zeroblob(15)",
            "domain = zeroblob(17)", "urgent = 2", "leased_by = ''", "leased_by = 'node', due_at = NULL",
        ],
        "signals": [
            "id = ''", "target = ''", "event = ''", "account_id = ''", "session_id = ''", "created_at = -1",
            "due_at = -1", "attempts = -1", "leased_by = ''", "leased_by = 'node', due_at = NULL",
        ],
        "signal_targets": ["event = ''", "target = ''"],
        "security_events": ["id = ''", "kind = ''", "at = -1", "count = 0"],
        "used_tokens": ["digest = zeroblob(31)", "expires_at = -1"],
        "login_failures": [
            "key = x'00'", "count = 0, in_hour = 0", "last_at = -1", "hour = -1", "in_hour = count + 1",
        ],
        "rate_limits": ["key = zeroblob(15)", "burst = 0"],
        "wrong_codes": ["hour = -1", "count = 0"],
        "heartbeat": ["one = 2", "at = -1"],
        "signing_keys": ["id = 'x'", "sealed = x''", "created_at = -1", "signs_from = created_at - 1"],
        "rsa_signing_keys": ["id = 'x'", "sealed = x''", "created_at = -1", "signs_from = created_at - 1"],
        "client_secrets": ["id = ''", "digest = zeroblob(31)", "application = ''", "created_at = -1"],
        "application_consents": ["application = ''", "scopes = ''", "given_at = -1"],
        "client_codes": [
            "digest = x''", "application = ''", "redirect = ''", "challenge = ''", "scopes = ''", "session_token = x''",
            "expires_at = -1", "spent_at = -1",
        ],
        "client_sessions": [
            "application = ''", "scopes = ''", "entered_at = -1", "family = zeroblob(31)", "refresh = zeroblob(31)",
        ],
        "access_tokens": ["digest = x''", "application = ''", "scopes = ''", "expires_at = -1"],
        "account_groups": ["name = ''", "name = 'a,b'"],
        "machine_tokens": [
            "id = ''", "digest = zeroblob(31)", "application = ''", "label = ''", "created_at = -1",
            "expires_at = created_at - 1", "last_used_at = -1",
        ],
        "password_times": ["set_at = -1", "last_used_at = -1"],
        "passkey_users": ["handle = zeroblob(63)"],
        "passkeys": [
            "id = ''", "credential_id = zeroblob(15)", "algorithm = -35", "public_key = x''", "signature_count = -1",
            "aaguid = zeroblob(15)", "is_backup_eligible = 2", "is_backed_up = 2", "is_second_factor = 2", "name = ''",
            "created_at = -1", "last_used_at = created_at - 1", "is_backup_eligible = 0",
            "second_factor_since = created_at - 1",
        ],
        "factor_keys": [
            "kind = ''", "sealed = x''", "counter = -1", "created_at = -1", "last_used_at = created_at - 1",
        ],
        "factor_codes": ["digest = x''"],
        "trusted_browsers": ["browser = x''", "expires_at = -1"],
        "pending_logins": [
            "flow = x''", "proved_by = 'mail'", "proved_digest = x''", "remembered = 2", "attempts = -1",
            "started_at = -1", "expires_at = started_at - 1",
        ],
        "nodes": [
            "id = ''", "name = ''", "version = ''", "started_at = -1", "last_seen_at = started_at - 1",
            "key_id = zeroblob(3)", "previous_key_id = zeroblob(5)",
        ],
        "held_forms": ["digest = x''", "sealed = x''", "expires_at = -1"],
        "factor_removals": ["asked_at = -1", "due_at = asked_at - 1"],
        "database_id": ["one = 2", "id = 'x'"],
        "application_sessions": ["token_digest = x''", "origin = ''", "entered_at = -1"],
        "handover_tickets": [
            "digest = x''", "origin = ''", "browser = x''", "target = 'x'", "is_retry = 2", "expires_at = -1",
            "session_token = x''",
        ],
    ]
    private static let code = ["code_digest = x''", "attempts = -1", "code_expires_at = -1", "expires_at = -1"]

    /// What stands in the brackets of each CHECK.
    private func checks(_ table: String) throws -> [String] {
        let sql = try database.read { database in
            try String.fetchOne(database, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [table])
        }
        return (sql ?? "").components(separatedBy: "CHECK (").dropFirst().map { rest in
            var depth = 1
            return String(
                rest.prefix { character in
                    depth += character == "(" ? 1 : character == ")" ? -1 : 0
                    return depth > 0
                })
        }
    }

    private func refusal(_ change: String, _ table: String) -> String? {
        do {
            try database.write { try $0.execute(sql: "UPDATE \(table) SET \(change)") }
            return nil
        } catch let error as DatabaseError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: violations.keys.sorted())
    func `every CHECK of a table refuses a row that breaks it alone`(table: String) throws {
        let refusals = (Self.violations[table] ?? []).map { refusal($0, table) }
        let checks = try checks(table)
        #expect(!checks.isEmpty)
        #expect(Set(refusals) == Set(checks.map { "CHECK constraint failed: \($0)" }))
        #expect(refusals.count == checks.count)
    }

    @Test func `every table has a CHECK`() throws {
        let tables = try database.read { database in
            try String.fetchSet(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'grdb_*'")
        }
        #expect(tables == Set(Self.violations.keys))
    }

    @Test func `the words of a proof are those of the sessions`() throws {
        let words = FirstFactor.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        #expect(try checks("sessions").contains("proved_by IN (\(words))"))
    }
}
