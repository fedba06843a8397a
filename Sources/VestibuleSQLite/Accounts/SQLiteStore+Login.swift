package import Essentials
import Foundation
import GRDB
import PasswordHashing
package import Vestibule

extension SQLiteStore {
    package func loginRecord(emailKey: String, failuresKey: [UInt8]) async throws -> LoginRecord {
        try await read { try loginRecord(emailKey, failuresKey, $0) }
    }

    func loginRecord(_ emailKey: String, _ failuresKey: [UInt8], _ database: Database) throws -> LoginRecord {
        // Its neighbour is read in place of none, so that both take as long.
        let row = try Row.fetchOne(
            database,
            cachedSQL: """
                SELECT \(Account.columns) FROM accounts WHERE id = coalesce(
                    (SELECT id FROM accounts WHERE email_key >= ? ORDER BY email_key LIMIT 1),
                    (SELECT id FROM accounts LIMIT 1))
                """,
            [emailKey]
        )
        let (account, hash) = (row.map(Account.init(row:)), row.flatMap { $0["password_hash"] as String? })
        let isFound = account?.email.key.utf8.elementsEqual(emailKey.utf8) == true
        let failures = try Row.fetchOne(
            database, cachedSQL: "SELECT count FROM login_failures WHERE key = ?",
            [FailureCount.key(failuresKey, hasAccount: isFound).data]
        )
        return LoginRecord(
            account: isFound ? account : nil, passwordHash: isFound ? hash.map(PasswordHash.init(phc:)) : nil,
            failuresInARow: failures?["count"] ?? 0
        )
    }

    package func loginFailed(failuresKey: [UInt8], event: SecurityEvent) async throws {
        try await writeRelaxed { database in
            try note(event, failuresKey: failuresKey, hasAccount: event.accountID != nil, database)
        }
    }

    package func signInFacts(accountID: AccountID) async throws -> SignInFacts {
        try await read { database in
            let row = try Row.fetchOne(
                database,
                cachedSQL: """
                    SELECT EXISTS (SELECT 1 FROM totp_keys WHERE account_id = ?1) AS totp,
                        EXISTS (SELECT 1 FROM passkeys WHERE account_id = ?1 AND is_second_factor) AS passkey,
                        NOT EXISTS (
                            SELECT 1 FROM sessions WHERE account_id = ?1
                            LIMIT 1 OFFSET \(Session.mostPerAccount - Session.roomToSpare)
                        ) AS has_room
                    """,
                [accountID])
            let factors = [SecondFactor.totp, .passkey].filter { row?[$0.rawValue] ?? false }
            return SignInFacts(secondFactors: Set(factors), hasRoom: row?["has_room"] ?? false)
        }
    }

    @discardableResult
    package func loginSucceeded(_ signIn: ProvedSignIn, session: NewSession) async throws -> Bool {
        try await write { try succeed(signIn, session, $0) }
    }

    /// Returns whether a mail was queued.
    private func succeed(_ signIn: ProvedSignIn, _ new: NewSession, _ database: Database) throws -> Bool {
        let (session, accountID) = (new.session, new.accountID)
        try use(signIn.identity, of: accountID, at: session.createdAt, database)
        let isStillSo = try Row.fetchOne(
            database,
            cachedSQL: """
                SELECT 1 FROM accounts
                WHERE id = ?1 AND disabled_at IS NULL AND (?2 IS NULL OR password_hash = ?2)
                    AND NOT (?3 AND EXISTS (SELECT 1 FROM totp_keys WHERE account_id = ?1))
                    AND NOT (?4 AND EXISTS (SELECT 1 FROM passkeys WHERE account_id = ?1 AND is_second_factor))
                """,
            [
                accountID, signIn.proved?.phc, signIn.absent.contains(.totp), signIn.absent.contains(.passkey),
            ]
        )
        guard isStillSo != nil else { throw Superseded() }
        if let rehash = signIn.rehash {
            try database.run("UPDATE accounts SET password_hash = ? WHERE id = ?", [rehash.phc, accountID])
        }
        if let step = signIn.secondStep { try end(step, of: accountID, at: session.createdAt, database) }
        if let use = signIn.use { try apply(use, accountID, at: session.createdAt, database) }
        if let key = signIn.failuresKey {
            try database.run("DELETE FROM login_failures WHERE key = ?", [key.data])
        }
        try giveBack(signIn.returned, database)
        try start(new, hasRoom: signIn.hasRoom, database)
        if session.provedBy == .password { try notePasswordUse(of: accountID, at: session.createdAt, database) }
        let hasMail = try signIn.notice.map { try tell($0, accountID, database) } ?? false
        try signIn.mails.forEach { try insert($0, database) }
        try signIn.events.forEach { try insert($0, database) }
        return hasMail || !signIn.mails.isEmpty
    }
}

extension Account {
    /// What `init(row:)` reads, of the table `accounts`.
    static let columns = """
        accounts.*, (SELECT coalesce(group_concat(name), '') FROM account_groups
            WHERE account_groups.account_id = accounts.id) AS group_names
        """

    /// Of `columns`.
    init(row: Row) {
        self.init(
            id: row["id"], email: EmailAddress(row: row), displayName: row["display_name"],
            createdAt: row.date("created_at"),
            verifiedAt: row.dateIfAny("verified_at"), disabledAt: row.dateIfAny("disabled_at"), locale: row["locale"],
            termsVersion: row["terms_version"], groups: Self.groups(row["group_names"])
        )
    }

    /// Names hold no comma.
    private static func groups(_ names: String) -> [String] {
        names.isEmpty ? [] : names.parts(by: ",").map { String($0) }.sorted()
    }
}

extension EmailAddress {
    /// Of the columns `email` and `email_key`.
    init(row: Row) {
        self.init(stored: row["email"], key: row["email_key"])
    }
}
