import Essentials
package import Foundation
import Vestibule
import VestibuleSQL

extension PostgresStore {
    /// Damage is met here each time as long as it is there: another server may have taken over.
    package func checkReadable(now: Date) async throws {
        let nobody = TokenDigest(bytes: Array(repeating: 0, count: 32))
        _ = try await loginRecord(emailKey: "", failuresKey: nobody.bytes)
        _ = try await pendingSignup(flow: nobody, now: now)
        _ = try await session(nobody)
        try await read { [walk] in try walk.advance($0) }
    }

    /// Opens a transaction on a second connection. Behind a pooler in transaction mode that takes
    /// the session of the first connection, which then gets another one.
    package func checkConnections() async throws {
        try await guarded {
            try await pool.with { [pool] connection in
                guard let other = try? pool.connect() else { return }
                let first = try Self.session(connection)
                try other.execute("BEGIN")
                let busy = try Self.session(other)
                // Its transaction is open meanwhile.
                let second = try withExtendedLifetime(other) { try Self.session(connection) }
                guard first != busy, first == second else {
                    throw StoreUnavailable.pooled("one connection got different sessions")
                }
            }
        }
    }

    private static func session(_ connection: PostgresConnection) throws -> Int? {
        try connection.one("SELECT pg_backend_pid() AS pid")?["pid"]
    }

    package func serverTime() async throws -> Date? {
        try await readOne { connection in
            try connection.one("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now")?.date("now")
        }
    }
}
