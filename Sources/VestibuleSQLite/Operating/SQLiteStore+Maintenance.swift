import Essentials
import Foundation
import GRDB
package import Vestibule
import VestibuleSQL

extension SQLiteStore {
    /// Rows deleted in one transaction: after an attack there are a million, and everybody else
    /// waits behind one of these.
    private static let purgedAtOnce = 500

    package func purge(_ bounds: PurgeBounds) async throws {
        for rows in ExpiredRows.all(bounds) + [.idleSessions(bounds.now)] { try await delete(rows) }
        try await sumUpVisits(bounds.now)
        await cutLog()
    }

    /// Looks for rows without holding the writer, and deletes those that are still so.
    private func delete(_ rows: ExpiredRows) async throws {
        let bound = rows.bound.ms
        var keys: [SQLiteRow] = []
        repeat {
            keys = try await read { database in
                try database.all(
                    "SELECT \(rows.key) FROM \(rows.table) WHERE \(rows.condition) LIMIT \(Self.purgedAtOnce)", [bound])
            }
            guard !keys.isEmpty else { return }
            let over = keys.flatMap(\.values)
            try await write(.relaxed) { database in
                for key in over {
                    try database.run(
                        "DELETE FROM \(rows.table) WHERE \(rows.key) = $2 AND \(rows.condition)", [bound, key])
                }
            }
        } while keys.count == Self.purgedAtOnce
    }
}
