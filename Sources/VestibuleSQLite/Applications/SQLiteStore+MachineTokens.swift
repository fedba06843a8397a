package import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func addMachineToken(_ token: MachineToken, digest: TokenDigest, event: SecurityEvent) async throws {
        try await write { database in
            try database.run(
                """
                INSERT INTO machine_tokens (id, digest, application, label, created_at, expires_at, last_used_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    token.id, digest.bytes.data, token.application, token.label, token.createdAt.ms,
                    token.expiresAt?.ms, token.lastUsedAt?.ms,
                ])
            try insert(event, database)
        }
    }

    package func machineToken(_ digest: TokenDigest) async throws -> MachineToken? {
        try await read { database in
            try Row.fetchOne(
                database, cachedSQL: "SELECT * FROM machine_tokens WHERE digest = ?", [digest.bytes.data]
            ).map(MachineToken.init(row:))
        }
    }

    package func machineTokens(application: String?) async throws -> [MachineToken] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM machine_tokens WHERE ?1 IS NULL OR application = ?1
                    ORDER BY created_at DESC, id
                    """,
                arguments: [application]
            ).map(MachineToken.init(row:))
        }
    }

    package func touchMachineToken(id: String, at now: Date) async throws {
        try await writeRelaxed { database in
            try database.run(
                "UPDATE machine_tokens SET last_used_at = max(coalesce(last_used_at, 0), ?1) WHERE id = ?2",
                [now.ms, id])
        }
    }

    package func revokeMachineToken(id: String, event: SecurityEvent) async throws -> Bool {
        try await write { database in
            try database.run("DELETE FROM machine_tokens WHERE id = ?", [id])
            guard database.changesCount > 0 else { return false }
            try insert(event, database)
            return true
        }
    }
}

extension MachineToken {
    fileprivate init(row: Row) {
        self.init(
            id: row["id"], application: row["application"], label: row["label"], createdAt: row.date("created_at"),
            expiresAt: row.dateIfAny("expires_at"), lastUsedAt: row.dateIfAny("last_used_at"))
    }
}
