package import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func hold(_ form: HeldForm) async throws {
        let session = form.session
        try await write { database in
            try require(session, database)
            try database.run(
                "INSERT INTO held_forms (digest, session_id, sealed, expires_at) VALUES (?, ?, ?, ?)",
                [form.digest.bytes.data, session.id, form.sealed.data, form.expiresAt.ms])
            try database.run(
                """
                DELETE FROM held_forms WHERE digest IN (
                    SELECT digest FROM held_forms WHERE session_id = ?
                    ORDER BY expires_at DESC LIMIT -1 OFFSET \(HeldForm.mostPerSession)
                )
                """,
                [session.id])
        }
    }

    package func takeHeldForm(_ digest: TokenDigest, sessionID: SessionID, now: Date) async throws -> [UInt8]? {
        try await write { database in
            try Row.fetchOne(
                database,
                cachedSQL: """
                    DELETE FROM held_forms WHERE digest = ? AND session_id = ? AND expires_at > ? RETURNING sealed
                    """,
                [digest.bytes.data, sessionID, now.ms]
            ).map { $0.bytes("sealed") }
        }
    }
}
