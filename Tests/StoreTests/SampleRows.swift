import GRDB

/// One row of every table, its values written in SQL.
enum SampleRows {
    /// In the order of their foreign keys.
    static let all: [(table: String, values: KeyValuePairs<String, String>)] = [
        (
            "accounts",
            [
                "id": "'a'", "email": "'Ada@example.com'", "email_key": "'ada@example.com'", "display_name": "'Ada'",
                "password_hash": "'phc'", "locale": "'en'", "terms_version": "'1'", "created_at": "1000",
                "verified_at": "1001", "disabled_at": "NULL", "browsers_known_since": "1002",
            ]
        ),
        (
            "consents",
            [
                "id": "'c'", "account_id": "'a'", "version": "'1'", "text_digest": "zeroblob(32)", "locale": "'en'",
                "address": "'192.0.2.1'", "accepted_at": "1000",
            ]
        ),
        (
            "identities",
            [
                "id": "'i'", "account_id": "'a'", "provider": "'apple'", "issuer": "'https://apple.example'",
                "subject": "'1'", "email": "NULL", "refresh_token": "x'01'", "created_at": "1000",
                "last_used_at": "1001",
            ]
        ),
        (
            "email_undos",
            [
                "token": "zeroblob(32)", "account_id": "'a'", "email": "'o@example.com'",
                "email_key": "'o@example.com'", "created_at": "1000", "expires_at": "2000",
            ]
        ),
        (
            "sessions",
            [
                "id": "'s'", "token_digest": "zeroblob(32)", "account_id": "'a'", "created_at": "1000",
                "last_seen_at": "1001", "idle_ms": "60000", "expires_at": "9000", "remembered": "1",
                "proved_at": "1000", "proved_by": "'provider'", "second_factor": "'totp'", "awaits_terms": "0",
                "awaits_factor": "1",
                "user_agent": "'agent'",
                "address": "'192.0.2.1'",
            ]
        ),
        (
            "application_sessions",
            [
                "token_digest": "zeroblob(32)", "session_id": "'s'", "account_id": "'a'",
                "origin": "'https://notes.example'", "entered_at": "1000",
            ]
        ),
        (
            "handover_tickets",
            [
                "digest": "zeroblob(32)", "session_id": "'s'", "account_id": "'a'",
                "origin": "'https://notes.example'", "browser": "zeroblob(32)", "target": "'/x'", "is_retry": "0",
                "expires_at": "2000",
            ]
        ),
        ("sign_in_summaries", ["account_id": "'a'", "since": "1000", "due_at": "2000"]),
        (
            "pending_signups",
            [
                "flow": "zeroblob(32)", "display_name": "'Bob'", "email": "'b@example.com'",
                "email_key": "'b@example.com'", "password_hash": "'phc'", "code_digest": "zeroblob(32)",
                "attempts": "2", "code_expires_at": "1600", "expires_at": "1500", "consent_id": "'d'",
                "terms_version": "'1'", "terms_digest": "zeroblob(32)", "consented_at": "1000", "locale": "'en'",
                "address": "'192.0.2.1'", "return_to": "'/x'", "remembered": "1",
            ]
        ),
        (
            "pending_resets",
            [
                "flow": "zeroblob(32)", "email": "'a@example.com'", "email_key": "'a@example.com'",
                "code_digest": "zeroblob(32)", "attempts": "1", "code_expires_at": "1600", "expires_at": "1500",
                "locale": "'en'", "account_id": "'a'", "proved": "1", "return_to": "NULL",
            ]
        ),
        (
            "pending_email_changes",
            [
                "flow": "zeroblob(32)", "account_id": "'a'", "email": "'n@example.com'",
                "email_key": "'n@example.com'", "code_digest": "zeroblob(32)", "attempts": "0",
                "code_expires_at": "1600", "expires_at": "1500", "mail_id": "'m'",
            ]
        ),
        (
            "pending_email_undos",
            [
                "flow": "zeroblob(32)", "token": "zeroblob(32)", "email_key": "'o@example.com'",
                "code_digest": "zeroblob(32)", "attempts": "0", "code_expires_at": "1600", "expires_at": "1500",
            ]
        ),
        (
            "outbox",
            [
                "id": "'m'", "sealed": "x'01'", "created_at": "1000", "due_at": "1005", "attempts": "1",
                "failure": "'busy'", "recipient": "zeroblob(16)", "domain": "zeroblob(16)",
                "urgent": "1", "leased_by": "NULL",
            ]
        ),
        (
            "signals",
            [
                "id": "'n'", "target": "'webhook:portal'", "event": "'session.ended'", "account_id": "'a'",
                "session_id": "'s'", "created_at": "1000", "due_at": "1005", "attempts": "1", "failure": "'busy'",
                "leased_by": "NULL",
            ]
        ),
        ("signal_targets", ["event": "'session.ended'", "target": "'webhook:portal'"]),
        (
            "security_events",
            [
                "id": "'e'", "kind": "'login_failed'", "account_id": "'a'", "at": "1000",
                "address": "'192.0.2.1'", "user_agent": "'agent'", "count": "7",
            ]
        ),
        ("used_tokens", ["digest": "zeroblob(32)", "expires_at": "2000"]),
        (
            "login_failures",
            ["key": "zeroblob(16)", "count": "3", "last_at": "1000", "hour": "0", "in_hour": "3"]
        ),
        ("rate_limits", ["key": "zeroblob(16)", "arrival": "1000", "burst": "60000"]),
        ("wrong_codes", ["hour": "4", "count": "2"]),
        ("heartbeat", ["one": "1", "at": "1000"]),
        (
            "signing_keys",
            [
                "id": "'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'", "sealed": "x'01'", "created_at": "1000",
                "signs_from": "1000",
            ]
        ),
        (
            "rsa_signing_keys",
            [
                "id": "'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'", "sealed": "x'01'", "created_at": "1000",
                "signs_from": "1000",
            ]
        ),
        (
            "client_secrets",
            ["id": "'k'", "digest": "zeroblob(32)", "application": "'notes'", "created_at": "1000"]
        ),
        (
            "application_consents",
            ["account_id": "'a'", "application": "'notes'", "scopes": "'openid'", "given_at": "1000"]
        ),
        (
            "client_codes",
            [
                "digest": "zeroblob(32)", "application": "'notes'", "redirect": "'https://notes.example/in'",
                "challenge": "'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'", "nonce": "'n'", "scopes": "'openid'",
                "session_id": "'s'", "account_id": "'a'", "session_token": "zeroblob(32)", "expires_at": "2000",
                "spent_at": "1500",
            ]
        ),
        (
            "client_sessions",
            [
                "session_id": "'s'", "application": "'notes'", "account_id": "'a'", "scopes": "'openid'",
                "entered_at": "1000", "family": "zeroblob(32)", "refresh": "zeroblob(32)",
            ]
        ),
        (
            "access_tokens",
            [
                "digest": "zeroblob(32)", "session_id": "'s'", "application": "'notes'", "scopes": "'openid'",
                "expires_at": "2000",
            ]
        ),
        ("account_groups", ["account_id": "'a'", "name": "'editors'"]),
        (
            "machine_tokens",
            [
                "id": "'t'", "digest": "zeroblob(32)", "application": "'notes'", "label": "'backup'",
                "created_at": "1000", "expires_at": "2000", "last_used_at": "1500",
            ]
        ),
        ("password_times", ["account_id": "'a'", "set_at": "1000", "last_used_at": "1001"]),
        ("passkey_users", ["account_id": "'a'", "handle": "zeroblob(64)"]),
        (
            "passkeys",
            [
                "id": "'p'", "account_id": "'a'", "credential_id": "zeroblob(32)", "algorithm": "-7",
                "public_key": "zeroblob(64)", "signature_count": "1", "aaguid": "zeroblob(16)",
                "transports": "'internal,hybrid'", "is_backup_eligible": "1", "is_backed_up": "1",
                "is_second_factor": "1", "name": "'phone'", "created_at": "1000", "last_used_at": "1500",
            ]
        ),
        (
            "factor_keys",
            [
                "account_id": "'a'", "kind": "'totp'", "sealed": "x'01'", "counter": "7", "created_at": "1000",
                "last_used_at": "1500",
            ]
        ),
        ("factor_codes", ["account_id": "'a'", "kind": "'totp'", "digest": "zeroblob(32)"]),
        (
            "trusted_browsers",
            ["account_id": "'a'", "browser": "zeroblob(32)", "user_agent": "'x'", "expires_at": "2000"]
        ),
        (
            "pending_logins",
            [
                "flow": "zeroblob(32)", "account_id": "'a'", "proved_by": "'password'",
                "proved_digest": "zeroblob(32)", "remembered": "1", "return_to": "'/x'", "attempts": "1",
                "started_at": "1000", "expires_at": "2000",
            ]
        ),
        (
            "held_forms",
            ["digest": "zeroblob(32)", "session_id": "'s'", "sealed": "x'01'", "expires_at": "2000"]
        ),
        (
            "nodes",
            [
                "id": "'n'", "name": "'web-1'", "version": "'1'", "started_at": "1000", "last_seen_at": "1500",
                "key_id": "zeroblob(4)", "previous_key_id": "zeroblob(4)",
            ]
        ),
        ("factor_removals", ["account_id": "'a'", "asked_at": "1000", "due_at": "2000"]),
    ]

    static func insert(_ database: Database) throws {
        for (table, values) in all {
            try database.execute(
                sql: """
                    INSERT INTO \(table) (\(values.map(\.key).joined(separator: ", ")))
                    VALUES (\(values.map(\.value).joined(separator: ", ")))
                    """)
        }
    }
}
