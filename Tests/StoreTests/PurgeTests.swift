import Foundation
import GRDB
import Testing

@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// Which tables a purge empties of expired rows.
@Suite(.closesStores)
struct PurgeTests {
    /// Tables whose rows a purge keeps: of accounts, sessions and settings, mails that are still
    /// tried, removals and summaries that housekeeping handles itself, and the keys that sign.
    private static let kept: Set = [
        "accounts", "account_groups", "application_consents", "consents", "factor_codes", "factor_keys", "identities",
        "passkey_users", "passkeys", "password_times", "sessions", "application_sessions", "client_sessions",
        "client_secrets", "heartbeat", "signal_targets", "outbox", "rsa_signing_keys",
        "sign_in_summaries", "signing_keys",
    ]

    @Test func `a purge deletes the expired rows of every table that has an expiry`() async throws {
        let path = try Engine.temporaryFolder() + "/vestibule.sqlite"
        let store = try SQLiteStore(path: path)
        _ = try store.migrate()
        let database = try DatabaseQueue(path: path)
        try await database.write { database in
            try SampleRows.insert(database)
            // What goes with a session would be gone in any case.
            try database.execute(sql: "UPDATE sessions SET expires_at = 1 << 60, idle_ms = 1 << 59")
        }
        let later = Date(timeIntervalSince1970: 100 * 365 * 86_400)
        try await store.purge(PurgeBounds(now: later, keepEventsSince: later))
        let left = try await database.read { database in
            try SampleRows.all.map(\.table).filter { table in
                try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(table))") == true
            }
        }
        #expect(Set(left) == Self.kept)
    }
}
