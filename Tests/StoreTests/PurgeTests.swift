import Foundation
import GRDB
import Testing

@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// Which tables are tidied up.
@Suite(.closesStores)
struct PurgeTests {
    /// Of an account and its sessions, of settings, and what waits for somebody: a mail that is
    /// still tried, a removal and a summary that housekeeping sees to before, the key that signs.
    private static let kept: Set = [
        "accounts", "account_groups", "application_consents", "consents", "factor_codes", "factor_keys", "identities",
        "passkey_users", "passkeys", "password_times", "sessions", "application_sessions", "client_sessions",
        "client_secrets", "heartbeat", "signal_targets", "factor_removals", "outbox", "rsa_signing_keys",
        "sign_in_summaries", "signing_keys",
    ]

    @Test func `of every table whose rows have an end nothing is left once it has come`() async throws {
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
