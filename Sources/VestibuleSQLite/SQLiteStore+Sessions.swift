package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func session(_ digest: TokenDigest) async throws -> SessionRecord? {
        try await read { database in
            let session = try Row.fetchOne(
                database, cachedSQL: "SELECT * FROM sessions WHERE token_digest = ?", [digest.bytes.data]
            ).map(Session.init(row:))
            guard let session else { return nil }
            return try Row.fetchOne(
                database, cachedSQL: "SELECT * FROM accounts WHERE id = ? AND disabled_at IS NULL", [session.accountID]
            ).map { SessionRecord(session: session, account: Account(row: $0)) }
        }
    }

    package func touchSession(id: String, at now: Date) async throws {
        try await writeRelaxed { database in
            try database.execute(
                sql: "UPDATE sessions SET last_seen_at = ?1 WHERE id = ?2 AND last_seen_at < ?1",
                arguments: [now.ms, id]
            )
        }
    }

    package func endSession(_ digest: TokenDigest, event: SecurityEvent) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM sessions WHERE token_digest = ?", arguments: [digest.bytes.data]
            )
            if database.changesCount > 0 { try insert(event, database) }
        }
    }

    func start(_ new: NewSession, _ database: Database) throws {
        if let before = new.replaces {
            try database.execute(
                sql: "DELETE FROM sessions WHERE token_digest = ?", arguments: [before.bytes.data]
            )
        }
        let session = new.session
        try database.execute(
            sql: """
                INSERT INTO sessions (
                    id, token_digest, account_id, created_at, last_seen_at, idle_ms, expires_at, remembered, proved_at,
                    awaits_terms, user_agent, address
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                session.id, new.tokenDigest.bytes.data, session.accountID, session.createdAt.ms,
                session.lastSeenAt.ms, Int64(session.idle.seconds * 1000), session.expiresAt.ms, session.remembered,
                session.provedAt.ms, session.awaitsTerms, session.userAgent, session.address,
            ]
        )
    }
}

extension Session {
    init(row: Row) {
        self.init(
            id: row["id"], accountID: row["account_id"], createdAt: row.date("created_at"),
            lastSeenAt: row.date("last_seen_at"), idle: .milliseconds(row["idle_ms"] as Int64),
            expiresAt: row.date("expires_at"), remembered: row["remembered"], provedAt: row.date("proved_at"),
            awaitsTerms: row["awaits_terms"], userAgent: row["user_agent"], address: row["address"]
        )
    }
}

extension Row {
    /// One row of a statement that is prepared once a connection.
    static func fetchOne(_ database: Database, cachedSQL sql: String, _ arguments: StatementArguments) throws -> Row? {
        try fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }
}
