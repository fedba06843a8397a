import Essentials
import Foundation
package import Vestibule

extension SQLStore {
    package func clientSecrets(of application: String) async throws -> [ClientSecret] {
        try await select(
            """
            SELECT id, application, digest, created_at FROM client_secrets WHERE application = $1
            ORDER BY created_at, id
            """,
            [application]
        ) { row in
            ClientSecret(
                id: try row["id"], application: try row["application"],
                digest: TokenDigest(bytes: try row.bytes("digest")), createdAt: try row.date("created_at"))
        }
    }

    package func addClientSecret(_ secret: ClientSecret, event: SecurityEvent) async throws -> Bool {
        try await write { connection in
            let row = try connection.one(
                "SELECT count(*) AS count FROM client_secrets WHERE application = $1", [secret.application])
            guard try row?["count"] ?? 0 < ClientSecrets.mostPerApplication else { return false }
            try connection.insert(
                into: "client_secrets", "id, digest, application, created_at",
                [secret.id, secret.digest, secret.application, secret.createdAt.ms])
            try insert(event, connection)
            return true
        }
    }

    package func revokeClientSecret(
        id: String, of application: String, event: SecurityEvent
    ) async throws -> Bool {
        try await write(.plain) { connection in
            try insert(
                event, ifChanging: "DELETE FROM client_secrets WHERE id = $1 AND application = $2", [id, application],
                connection)
        }
    }
}
