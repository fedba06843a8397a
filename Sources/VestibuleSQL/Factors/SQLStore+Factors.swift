package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func account(_ accountID: AccountID) async throws -> Account? {
        try await read { try account(accountID, $0) }
    }

    package func factors(accountID: AccountID) async throws -> AccountFactors {
        try await readOne { try factors(accountID, $0) }
    }

    package func accountsWithSecondFactor(onlyPasskeys: Bool) async throws -> Int {
        try await selectOne(
            """
            SELECT count(*) AS count FROM (
                SELECT account_id FROM passkeys WHERE is_second_factor
                \(onlyPasskeys ? "EXCEPT" : "UNION") SELECT account_id FROM factor_keys WHERE \(Self.isAsked)
            ) AS owners
            """
        ) { try $0["count"] } ?? 0
    }

    /// One statement, which sees one moment: of an account that swaps its factors, two could find
    /// none. Each passkey is in a row with each key.
    func factors(_ accountID: AccountID, _ connection: Connection) throws -> AccountFactors {
        let found = try connection.all(
            """
            SELECT \(Passkey.columns), handle, due_at, kind, factor_keys.sealed, counter,
                factor_keys.created_at AS key_created_at, factor_keys.last_used_at AS key_last_used_at
            FROM (SELECT $1 AS account_id) AS asked LEFT JOIN passkey_users USING (account_id)
            LEFT JOIN factor_removals USING (account_id) LEFT JOIN factor_keys USING (account_id)
            LEFT JOIN passkeys USING (account_id) ORDER BY passkeys.created_at, passkeys.id, kind
            """,
            [accountID])
        guard let first = found.first else { return AccountFactors() }
        let (passkey, kind): (String?, String?) = (try first["id"], try first["kind"])
        let passkeys = try passkey == nil ? [] : found.filter { try $0["kind"] as String? == kind }
        let keys = try kind == nil ? [] : found.filter { try $0["id"] as String? == passkey }
        return AccountFactors(
            passkeys: try passkeys.map(Passkey.init(row:)), keys: try keys.map(FactorKey.init(row:)),
            userHandle: try first["handle"], removalDueAt: try first.dateIfAny("due_at"))
    }

    package func setKey(_ key: FactorKey, codes: [[UInt8]], _ change: FactorChange) async throws -> Bool {
        try await write { connection in
            try begin(change, connection)
            if key.kind == .recoveryCode, try !asksSecondStep(change.accountID, change.counted, connection) {
                return false
            }
            try connection.later(
                "DELETE FROM factor_keys WHERE account_id = $1 AND kind = $2", [change.accountID, key.kind.rawValue])
            try connection.later(
                """
                INSERT INTO factor_keys (account_id, kind, sealed, counter, created_at, last_used_at)
                VALUES ($1, $2, $3, $4, \(Self.sinceUndo("$5", account: "$1")), $6)
                """,
                [
                    change.accountID, key.kind.rawValue, key.sealed, key.counter, key.createdAt.ms,
                    key.lastUsedAt?.ms,
                ])
            for digest in codes {
                try connection.insert(
                    into: "factor_codes", "account_id, kind, digest",
                    [change.accountID, key.kind.rawValue, digest])
            }
            try note(change, connection)
            return true
        }
    }

    package func removeKey(_ kind: SecondFactor, _ change: FactorChange) async throws -> Bool {
        try await write { connection in
            try begin(change, connection)
            let removed = try connection.run(
                "DELETE FROM factor_keys WHERE account_id = $1 AND kind = $2", [change.accountID, kind.rawValue])
            guard removed > 0 else { return false }
            try dropCodesWithoutFactor(change.accountID, change.counted, connection)
            try note(change, connection)
            return true
        }
    }

    package func takeBackFactors(
        by link: FactorUndoLink, passkeyID: String?, _ change: FactorChange
    ) async throws -> Bool {
        try await write(.urgent) { connection in
            let before = try factors(change.accountID, connection)
            guard !before.added(since: link.since, orPasskey: passkeyID).isEmpty,
                try !hasEnded(link, of: change.accountID, connection)
            else { return false }
            // The clock of the node that gave this one may be ahead.
            let end = max(link.expiresAt, FactorUndoLink.expiry(from: change.event.at))
            try endFactorUndo(of: change.accountID, until: end, connection)
            try connection.later(
                "DELETE FROM passkeys WHERE id = $1 AND account_id = $2", [passkeyID, change.accountID])
            try carryOut(.factorTakenBack(since: link.since, at: change.event.at), of: change.accountID, connection)
            try note(change, connection)
            return true
        }
    }

    package func factorUndoExpiry(accountID: AccountID, emailKey: String, now: Date) async throws -> Date? {
        try await selectOne(
            """
            SELECT expires_at FROM used_tokens WHERE digest = $1 AND expires_at > $2 AND NOT EXISTS (
                SELECT 1 FROM used_tokens AS ended
                WHERE ended.digest = $3 AND ended.expires_at >= used_tokens.expires_at)
            """,
            [FactorUndoLink.open(accountID, emailKey: emailKey), now.ms, FactorUndoLink.ended(accountID)]
        ) { try $0.date("expires_at") }
    }

    /// No link that ends by then takes factors of the account back any more.
    func endFactorUndo(of accountID: AccountID, until end: Date, _ connection: Connection) throws {
        try keep(FactorUndoLink.ended(accountID), until: end, connection)
    }

    /// The later time stays.
    private func keep(_ digest: TokenDigest, until end: Date, _ connection: Connection) throws {
        try connection.later(
            """
            INSERT INTO used_tokens AS kept (digest, expires_at) VALUES ($1, $2)
            ON CONFLICT (digest) DO UPDATE SET expires_at = greatest(kept.expires_at, excluded.expires_at)
            """,
            [digest, end.ms])
    }

    private func hasEnded(
        _ link: FactorUndoLink, of accountID: AccountID, _ connection: Connection
    ) throws -> Bool {
        try connection.one(
            "SELECT 1 FROM used_tokens WHERE digest = $1 AND expires_at >= $2",
            [FactorUndoLink.ended(accountID), link.expiresAt.ms]) != nil
    }

    /// Codes that stand in for a factor are worth nothing without one.
    func dropCodesWithoutFactor(
        _ accountID: AccountID, _ counted: FactorPresence, _ connection: Connection
    ) throws {
        guard try !asksSecondStep(accountID, counted, connection) else { return }
        try delete(from: ["factor_keys"], accountID, connection)
    }

    private func asksSecondStep(
        _ accountID: AccountID, _ counted: FactorPresence, _ connection: Connection
    ) throws -> Bool {
        try factors(accountID, connection).counted(passkeys: counted.contains(.passkey)).asksSecondStep
    }

    /// Comes first in every change that a session makes. Throws `Superseded`.
    func begin(_ change: FactorChange, _ connection: Connection) throws {
        if change.addsFactor { try lock(change.accountID, connection) }
        try require(absent: change.renewal?.absent ?? [], of: change.accountID, connection)
    }

    /// What goes with every change of factors. `keepsTrust` is for a passkey that is no second
    /// factor.
    func note(_ change: FactorChange, keepsTrust: Bool = false, _ connection: Connection) throws {
        // Before the session: a refresh in progress has these rows, and asks for that one.
        if change.addsFactor { try endRefreshTokens(of: change.accountID, connection) }
        if let renewal = change.renewal { try renew(renewal, connection) }
        try settleWaiting(change, connection)
        if change.addsFactor { try forgetBrowsers(change.accountID, change.event.at, connection) }
        if !keepsTrust { try delete(from: ["trusted_browsers"], change.accountID, connection) }
        try endFactorRemoval(of: change.accountID, connection)
        if let undo = change.undo { try keep(undo.digest, until: undo.until, connection) }
        try insert(change.notice, connection)
        try insert(change.event, connection)
        try change.unlinked.forEach { try insert($0, connection) }
    }

    /// Without a second factor, every session waits for one, should the site require it. Once there
    /// is one none waits any more: where it was required, those that had waited end, as they have
    /// proved none, but for the one that added it.
    private func settleWaiting(_ change: FactorChange, _ connection: Connection) throws {
        let hasFactor = try asksSecondStep(change.accountID, change.counted, connection)
        if hasFactor && change.requiresFactor {
            try connection.later(
                "DELETE FROM sessions WHERE account_id = $1 AND awaits_factor AND id IS DISTINCT FROM $2",
                [change.accountID, change.renewal?.sessionID])
        }
        try connection.later(
            "UPDATE sessions SET awaits_factor = $1 WHERE account_id = $2 AND awaits_factor <> $1",
            [!hasFactor, change.accountID])
    }
}

extension FactorKey {
    fileprivate init(row: some SQLRow) throws {
        self.init(
            try SecondFactor(stored: try row["kind"]), sealed: try row.bytes("sealed"), counter: try row["counter"],
            createdAt: try row.date("key_created_at"), lastUsedAt: try row.dateIfAny("key_last_used_at"))
    }
}
