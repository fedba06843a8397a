import Essentials
import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func passkeys(emailKey: String) async throws -> [Passkey] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM passkeys WHERE account_id = (SELECT id FROM accounts WHERE email_key = ?)
                        ORDER BY created_at, id
                        """), arguments: [emailKey]
            ).map(Passkey.init(row:))
        }
    }

    package func passkey(credentialID: [UInt8]) async throws -> PasskeyRecord? {
        try await read { database in
            // Its neighbour is read in place of none, so that both take as long.
            let row = try Row.fetchOne(
                database,
                cachedSQL: """
                    SELECT * FROM passkeys JOIN passkey_users USING (account_id) WHERE credential_id = coalesce(
                        (SELECT credential_id FROM passkeys WHERE credential_id >= ? ORDER BY credential_id LIMIT 1),
                        (SELECT credential_id FROM passkeys LIMIT 1))
                    """,
                [credentialID.data])
            let passkey = row.map(Passkey.init(row:))
            let account = try Row.fetchOne(
                database, cachedSQL: "SELECT \(Account.columns) FROM accounts WHERE id = ?", [passkey?.accountID]
            ).map(Account.init(row:))
            guard let row, let passkey, let account, passkey.credentialID == credentialID else { return nil }
            return PasskeyRecord(passkey: passkey, account: account, userHandle: row.bytes("handle"))
        }
    }

    package func addPasskey(
        _ passkey: Passkey, userHandle: [UInt8], once: [Once], _ change: FactorChange
    ) async throws -> Bool {
        try await write { database in
            try once.forEach { try use($0, database) }
            try database.run(
                "INSERT INTO passkey_users (account_id, handle) VALUES (?, ?) ON CONFLICT (account_id) DO NOTHING",
                [passkey.accountID, userHandle.data])
            let handle = try Row.fetchOne(
                database, cachedSQL: "SELECT handle FROM passkey_users WHERE account_id = ?", [passkey.accountID])
            guard handle?.bytes("handle") == userHandle, try insert(passkey, database) else { return false }
            try note(change, database)
            return true
        }
    }

    package func renamePasskey(id: String, by session: PresentedSession, name: String) async throws -> Bool {
        try await write { database in
            try require(session, database)
            try database.run(
                "UPDATE passkeys SET name = ? WHERE id = ? AND account_id = ?", [name, id, session.accountID])
            return database.changesCount > 0
        }
    }

    package func useForSecondStep(passkeyID: String, _ change: FactorChange) async throws -> Bool {
        try await write { database in
            try database.run(
                """
                UPDATE passkeys SET is_second_factor = 1, second_factor_since = max(created_at, ?)
                WHERE id = ? AND account_id = ? AND is_second_factor = 0
                """,
                [change.event.at.ms, passkeyID, change.accountID])
            guard database.changesCount > 0 else { return false }
            try note(change, database)
            return true
        }
    }

    package func removePasskey(
        id: String, configured: [String], _ change: FactorChange
    ) async throws -> PasskeyRemoval {
        let configured = String(decoding: try JSONEncoder().encode(configured), as: UTF8.self)
        return try await write { database in
            let accountID = change.accountID
            let known = try Row.fetchOne(
                database, cachedSQL: "SELECT 1 FROM passkeys WHERE id = ? AND account_id = ?", [id, accountID])
            guard known != nil else { return .unknown }
            guard try hasOtherWay(accountID, configured, besides: id, database) else { return .lastWay }
            try database.run("DELETE FROM passkeys WHERE id = ?", [id])
            try dropCodesWithoutFactor(accountID, database)
            try note(change, database)
            return .removed
        }
    }

    /// Whether something else opens the account than the passkey or the identity of that id.
    func hasOtherWay(
        _ accountID: AccountID, _ configured: String, besides id: String, _ database: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT password_hash IS NOT NULL
                    OR EXISTS (
                        SELECT 1 FROM identities
                        WHERE account_id = ?1 AND id <> ?2 AND provider IN (SELECT value FROM json_each(?3))
                    )
                    OR EXISTS (SELECT 1 FROM passkeys WHERE account_id = ?1 AND id <> ?2)
                FROM accounts WHERE id = ?1
                """,
            arguments: [accountID, id, configured]) ?? false
    }

    /// Returns false when the credential is known or the account has too many.
    private func insert(_ passkey: Passkey, _ database: Database) throws -> Bool {
        try database.run(
            """
            INSERT INTO passkeys (
                id, account_id, credential_id, algorithm, public_key, signature_count, aaguid, transports,
                is_backup_eligible, is_backed_up, is_second_factor, name, created_at, last_used_at
            )
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
            WHERE (SELECT count(*) FROM passkeys WHERE account_id = ?2) < \(Passkey.mostPerAccount)
            ON CONFLICT (credential_id) DO NOTHING
            """,
            [
                passkey.id, passkey.accountID, passkey.credentialID.data, passkey.publicKey.algorithm,
                passkey.publicKey.bytes.data, passkey.signatureCount, passkey.aaguid.data,
                passkey.transports.joined(separator: ","), passkey.backup.isEligible, passkey.backup.isBackedUp,
                passkey.isSecondFactor, passkey.name, passkey.createdAt.ms, passkey.lastUsedAt?.ms,
            ])
        return database.changesCount > 0
    }
}

extension Passkey {
    init(row: Row) {
        let transports: String = row["transports"]
        self.init(
            id: row["id"], accountID: row["account_id"], credentialID: row.bytes("credential_id"),
            publicKey: StoredPublicKey(algorithm: row["algorithm"], bytes: row.bytes("public_key")),
            signatureCount: row["signature_count"], aaguid: row.bytes("aaguid"),
            transports: transports.isEmpty ? [] : transports.parts(by: ",").map { String($0) },
            backup: PasskeyBackup(isEligible: row["is_backup_eligible"], isBackedUp: row["is_backed_up"]),
            isSecondFactor: row["is_second_factor"], name: row["name"], createdAt: row.date("created_at"),
            lastUsedAt: row.dateIfAny("last_used_at"), secondFactorSince: row.dateIfAny("second_factor_since"))
    }
}
