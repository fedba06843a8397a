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

    package func serverTime() async throws -> Date? {
        try await readOne { connection in
            try connection.one("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now")?.date("now")
        }
    }
}
