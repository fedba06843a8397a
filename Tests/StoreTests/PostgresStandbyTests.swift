import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL

/// What is acknowledged when the server ends a session whose commit waits for the standby, or ends
/// only the wait.
@Suite(.timeLimit(.minutes(15)))
struct PostgresStandbyTests {
    private final class End: Sendable {
        let isOver = Atomic(false)
    }

    /// A server of its own, as all its commits will wait for a standby that it lacks.
    private func open() async throws -> (PostgresServer, PostgresStore, PostgresConnection) {
        let server = try await blocking { try PostgresServer(settings: ["wal_level=replica", "max_wal_senders=2"]) }
        let url = try #require(PostgresURL(server.url(of: try await server.makeDatabase())))
        let store = try PostgresStore(url, connections: 2)
        let operating = try await blocking {
            _ = try store.migrate()
            return try store.pool.connect()
        }
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        return (server, store, operating)
    }

    private func setStandby(_ name: String, _ connection: PostgresConnection) async throws {
        try await blocking {
            try connection.execute("ALTER SYSTEM SET synchronous_standby_names = '\(name)'")
            try connection.execute("SELECT pg_reload_conf()")
            while try connection.one("SHOW synchronous_standby_names")?["synchronous_standby_names"] != name {
                // The server reads its settings again at some time, and tells nobody.
                usleep(1000)
            }
            // The checkpointer is what tells commits of it, and reads its settings before each.
            for _ in 0..<2 { try connection.execute("CHECKPOINT") }
        }
    }

    /// A transaction that waits for the standby, and its session.
    private struct Waiting {
        let pid: Int
        let start: String
    }

    /// The one that waits, other than `known`. Returns nil at the end.
    private func waiting(
        besides known: Waiting? = nil, _ connection: PostgresConnection, unless end: End
    ) async throws -> Waiting? {
        try await blocking {
            while !end.isOver.load(ordering: .relaxed) {
                let row = try connection.one(
                    """
                    SELECT pid, xact_start::text AS start FROM pg_stat_activity
                    WHERE wait_event = 'SyncRep' AND xact_start::text <> $1
                    """,
                    [known?.start ?? ""])
                if let row { return try Waiting(pid: row["pid"], start: row["start"]) }
                // The server tells nobody which session waits.
                usleep(1000)
            }
            return nil
        }
    }

    private static let writes: [@Sendable (PostgresStore) async throws -> Void] = [
        { store in try await store.write(.plain) { $0.later("UPDATE accounts SET display_name = 'Grace'") } },
        { store in
            try await store.loginSucceeded(
                StoredLogin(
                    session: Make.session(9, account: "a"), failuresKey: Make.key(1), returned: [],
                    proved: PasswordHash(phc: "phc"), rehash: nil, events: [Make.event(.login, account: "a")]))
        },
    ]

    private static let ends = ["pg_terminate_backend", "pg_cancel_backend"]

    @Test(arguments: writes.indices, ends)
    func `a commit that the standby may lack is not acknowledged`(write: Int, ending: String) async throws {
        let (server, store, operating) = try await open()
        try await setStandby("nobody", operating)
        let end = End()
        try await withThrowingTaskGroup { group in
            group.addTask {
                defer { end.isOver.store(true, ordering: .relaxed) }
                try await Self.writes[write](store)
            }
            let first = try #require(try await waiting(operating, unless: end))
            try await blocking { try operating.execute("SELECT \(ending)(\(first.pid))") }
            #expect(try await waiting(besides: first, operating, unless: end) != nil)
            try await setStandby("", operating)
            try await group.waitForAll()
        }
        withExtendedLifetime(server) {}
    }
}
