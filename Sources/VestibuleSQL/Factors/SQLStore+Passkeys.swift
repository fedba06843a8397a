import Essentials
import Foundation
package import Vestibule

extension SQLStore {
    package func passkeys(emailKey: String) async throws -> [Passkey] {
        try await select(
            """
            SELECT \(Passkey.columns) FROM passkeys
            WHERE account_id = (SELECT id FROM accounts WHERE email_key = $1) ORDER BY created_at, id
            """,
            [emailKey], Passkey.init(row:))
    }

    package func passkey(credentialID: [UInt8]) async throws -> PasskeyRecord? {
        try await read { connection in
            // Its neighbour is read in place of none, so that both take as long.
            let row = try connection.one(
                """
                SELECT \(Passkey.columns), handle FROM passkeys JOIN passkey_users USING (account_id)
                WHERE credential_id = coalesce(
                    (SELECT credential_id FROM passkeys WHERE credential_id >= $1 ORDER BY credential_id LIMIT 1),
                    (SELECT credential_id FROM passkeys ORDER BY credential_id DESC LIMIT 1))
                """,
                [credentialID])
            let passkey = try row.map(Passkey.init(row:))
            let account = try connection.one(
                "SELECT \(Account.columns) FROM accounts WHERE id = $1", [passkey?.accountID]
            ).map(Account.init(row:))
            guard let row, let passkey, let account, passkey.credential.id == credentialID else { return nil }
            return PasskeyRecord(passkey: passkey, account: account, userHandle: try row.bytes("handle"))
        }
    }

    package func addPasskey(
        _ passkey: Passkey, userHandle: [UInt8], once: [Once], _ change: FactorChange
    ) async throws -> Bool {
        try await write { connection in
            try begin(change, connection)
            try once.forEach { try use($0, connection) }
            try connection.later(
                "INSERT INTO passkey_users (account_id, handle) VALUES ($1, $2) ON CONFLICT (account_id) DO NOTHING",
                [passkey.accountID, userHandle])
            let handle = try connection.one(
                "SELECT handle FROM passkey_users WHERE account_id = $1", [passkey.accountID])
            guard try handle?.bytes("handle") == userHandle, try insert(passkey, connection) else { return false }
            try note(change, keepsTrust: !passkey.isSecondFactor, connection)
            return true
        }
    }

    package func renamePasskey(id: String, by session: PresentedSession, name: String) async throws -> Bool {
        try await write(.plain) { connection in
            try require(session, connection)
            return try connection.run(
                "UPDATE passkeys SET name = $1 WHERE id = $2 AND account_id = $3", [name, id, session.accountID]) > 0
        }
    }

    package func useForSecondStep(passkeyID: String, _ change: FactorChange) async throws -> Bool {
        try await write { connection in
            try begin(change, connection)
            let changed = try connection.run(
                """
                UPDATE passkeys SET is_second_factor = true,
                    second_factor_since = greatest(created_at, \(Self.sinceUndo("$1", account: "$3")))
                WHERE id = $2 AND account_id = $3 AND NOT is_second_factor
                """,
                [change.event.at.ms, passkeyID, change.accountID])
            guard changed > 0 else { return false }
            try note(change, connection)
            return true
        }
    }

    package func removePasskey(
        id: String, inUse: WaysInUse, _ change: FactorChange
    ) async throws -> PasskeyRemoval {
        try await write { connection in
            try begin(change, connection)
            let accountID = change.accountID
            let known = try connection.one(
                "SELECT 1 FROM passkeys WHERE id = $1 AND account_id = $2", [id, accountID])
            guard known != nil else { return .unknown }
            guard try hasOtherWay(accountID, inUse, besides: id, connection) else { return .lastWay }
            try connection.later("DELETE FROM passkeys WHERE id = $1", [id])
            try endPendingLogins(of: accountID, by: .passkey, connection)
            try dropCodesWithoutFactor(accountID, change.counted, connection)
            try note(change, connection)
            return .removed
        }
    }

    /// Whether the account has a password, or a way in use other than the passkey or identity of
    /// that id.
    func hasOtherWay(
        _ accountID: AccountID, _ inUse: WaysInUse, besides id: String, _ connection: Connection
    ) throws -> Bool {
        let row = try connection.one(
            """
            SELECT password_hash IS NOT NULL
                OR EXISTS (SELECT 1 FROM identities WHERE account_id = $1 AND id <> $2 AND provider = ANY ($3))
                OR $4 AND EXISTS (SELECT 1 FROM passkeys WHERE account_id = $1 AND id <> $2) AS has
            FROM accounts WHERE id = $1
            """,
            [accountID, id, inUse.providers, inUse.passkeys])
        return try row?["has"] ?? false
    }

    /// Returns false when the credential is known or the account has too many.
    private func insert(_ passkey: Passkey, _ connection: Connection) throws -> Bool {
        let credential = passkey.credential
        return try connection.run(
            """
            INSERT INTO passkeys (
                id, account_id, credential_id, algorithm, public_key, signature_count, aaguid, transports,
                is_backup_eligible, is_backed_up, is_second_factor, name, created_at, last_used_at
            )
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
                \(Self.sinceUndo("$13", account: "$2")), $14
            WHERE (SELECT count(*) FROM passkeys WHERE account_id = $2) < \(Passkey.mostPerAccount)
            ON CONFLICT (credential_id) DO NOTHING
            """,
            [
                passkey.id, passkey.accountID, credential.id, credential.publicKey.algorithm,
                credential.publicKey.bytes, Int64(credential.signatureCount), credential.aaguid,
                credential.transports.joined(separator: ","), credential.backup.isEligible,
                credential.backup.isBackedUp, passkey.isSecondFactor, passkey.name, passkey.createdAt.ms,
                passkey.lastUsedAt?.ms,
            ]) > 0
    }
}

extension Passkey {
    /// What `init(row:)` reads.
    static let columns = """
        passkeys.id, passkeys.account_id, passkeys.credential_id, passkeys.algorithm, passkeys.public_key,
        passkeys.signature_count, passkeys.aaguid, passkeys.transports, passkeys.is_backup_eligible,
        passkeys.is_backed_up, passkeys.is_second_factor, passkeys.name, passkeys.created_at,
        passkeys.last_used_at, passkeys.second_factor_since
        """

    /// Reads a row of `columns`.
    init(row: some SQLRow) throws {
        let transports: String = try row["transports"]
        self.init(
            id: try row["id"], accountID: try row["account_id"],
            credential: StoredCredential(
                id: try row.bytes("credential_id"),
                publicKey: StoredPublicKey(algorithm: try row["algorithm"], bytes: try row.bytes("public_key")),
                signatureCount: UInt32(clamping: try row["signature_count"] as Int64),
                aaguid: try row.bytes("aaguid"),
                transports: transports.isEmpty ? [] : transports.parts(by: ",").map { String($0) },
                backup: PasskeyBackup(
                    isEligible: try row["is_backup_eligible"], isBackedUp: try row["is_backed_up"])),
            isSecondFactor: try row["is_second_factor"], name: try row["name"], createdAt: try row.date("created_at"),
            lastUsedAt: try row.dateIfAny("last_used_at"),
            secondFactorSince: try row.dateIfAny("second_factor_since"))
    }
}
