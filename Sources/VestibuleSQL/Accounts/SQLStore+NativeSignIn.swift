import Essentials
import Vestibule

extension SQLStore {
    package func keepRefreshToken(_ sealed: [UInt8], issuer: String, subject: String) async throws -> Bool {
        try await writePlain { connection in
            try connection.run(
                "UPDATE identities SET refresh_token = $1 WHERE issuer = $2 AND subject = $3",
                [sealed, issuer, subject]) > 0
        }
    }
}
