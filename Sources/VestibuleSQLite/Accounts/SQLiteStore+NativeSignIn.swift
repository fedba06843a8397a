import Essentials
import Foundation
import GRDB
import Vestibule

extension SQLiteStore {
    package func keepRefreshToken(_ sealed: [UInt8], issuer: String, subject: String) async throws -> Bool {
        try await write { database in
            try database.run(
                "UPDATE identities SET refresh_token = ? WHERE issuer = ? AND subject = ?",
                [sealed.data, issuer, subject])
            return database.changesCount > 0
        }
    }
}
