package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func addMachineToken(_ token: MachineToken, digest: TokenDigest, event: SecurityEvent) async throws {
        try await write(.plain) { connection in
            try connection.insert(
                into: "machine_tokens", "id, digest, application, label, created_at, expires_at, last_used_at",
                [
                    token.id, digest, token.application, token.label, token.createdAt.ms, token.expiresAt?.ms,
                    token.lastUsedAt?.ms,
                ])
            try insert(event, connection)
        }
    }

    package func machineToken(_ digest: TokenDigest) async throws -> MachineToken? {
        try await selectOne(
            "SELECT \(MachineToken.columns) FROM machine_tokens WHERE digest = $1", [digest], MachineToken.init(row:))
    }

    package func machineTokens(application: String?) async throws -> [MachineToken] {
        try await select(
            """
            SELECT \(MachineToken.columns) FROM machine_tokens WHERE $1 IS NULL OR application = $1
            ORDER BY created_at DESC, id
            """,
            [application], MachineToken.init(row:))
    }

    package func touchMachineToken(id: String, at now: Date) async throws {
        try await change(
            .relaxed, "UPDATE machine_tokens SET last_used_at = greatest(coalesce(last_used_at, 0), $1) WHERE id = $2",
            [now.ms, id])
    }

    package func revokeMachineToken(id: String, event: SecurityEvent) async throws -> Bool {
        try await write(.plain) { connection in
            try insert(event, ifChanging: "DELETE FROM machine_tokens WHERE id = $1", [id], connection)
        }
    }
}

extension MachineToken {
    /// What `init(row:)` reads.
    fileprivate static let columns = "id, application, label, created_at, expires_at, last_used_at"

    /// Reads a row of `columns`.
    fileprivate init(row: some SQLRow) throws {
        self.init(
            id: try row["id"], application: try row["application"], label: try row["label"],
            createdAt: try row.date("created_at"), expiresAt: try row.dateIfAny("expires_at"),
            lastUsedAt: try row.dateIfAny("last_used_at"))
    }
}
