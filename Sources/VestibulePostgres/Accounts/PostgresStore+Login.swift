package import Essentials
import Foundation
import PasswordHashing
package import Vestibule

extension PostgresStore {
    package func loginRecord(emailKey: String, failuresKey: [UInt8]) async throws -> LoginRecord {
        try await readOne { try loginRecord(emailKey, failuresKey, $0) }
    }

    func loginRecord(
        _ emailKey: String, _ failuresKey: [UInt8], _ connection: PostgresConnection
    ) throws -> LoginRecord {
        // One statement, with the same work whether there is an account or not.
        let row = try connection.one(
            """
            SELECT \(Account.columns), coalesce(login_failures.count, 0) AS failures
            FROM (VALUES (1)) AS asked LEFT JOIN accounts ON accounts.email_key = $1
            LEFT JOIN login_failures ON key = CASE WHEN accounts.id IS NULL THEN $2 ELSE $3 END
            """,
            [emailKey, FailureCount.key(failuresKey, hasAccount: false), failuresKey]
        )
        let found = try row?["id"] as AccountID? == nil ? nil : row
        let account = try Account(row: found ?? Account.nobody)
        return LoginRecord(
            account: found == nil ? nil : account,
            passwordHash: try found.flatMap { try $0["password_hash"] as String? }.map(PasswordHash.init(phc:)),
            failuresInARow: try row?["failures"] ?? 0
        )
    }

    package func loginFailed(failuresKey: [UInt8], event: SecurityEvent) async throws {
        try await writeRelaxed { connection in
            try note(event, failuresKey: failuresKey, hasAccount: event.accountID != nil, connection)
        }
    }

    package func signInFacts(accountID: AccountID) async throws -> SignInFacts {
        try await readOne { connection in
            let row = try connection.one(
                """
                SELECT EXISTS (SELECT FROM totp_keys WHERE account_id = $1) AS totp,
                    EXISTS (SELECT FROM passkeys WHERE account_id = $1 AND is_second_factor) AS passkey,
                    NOT EXISTS (
                        SELECT FROM sessions WHERE account_id = $1
                        OFFSET \(Session.mostPerAccount - Session.roomToSpare) LIMIT 1
                    ) AS has_room
                """,
                [accountID])
            let factors = try [SecondFactor.totp, .passkey].filter { try row?[$0.rawValue] ?? false }
            return SignInFacts(secondFactors: Set(factors), hasRoom: try row?["has_room"] ?? false)
        }
    }

    @discardableResult
    package func loginSucceeded(_ signIn: ProvedSignIn, session: NewSession) async throws -> Bool {
        let goesToSummary = try await goesToSummary(signIn)
        guard let plain = PlainLogin(signIn, session, goesToSummary: goesToSummary) else {
            return try await write { try succeed(signIn, session, goesToSummary: goesToSummary, $0) }
        }
        let isOpen = try await writeAtOnce(
            plain.statement, keys: PlainLogin.keys,
            then: signIn.hasRoom ? [] : [Self.endOldest(besides: session.session)])
        guard isOpen else { throw Superseded() }
        return false
    }

    /// `goesToSummary`: a summary tells of it, if anything does. Returns whether a mail was queued.
    func succeed(
        _ signIn: ProvedSignIn, _ new: NewSession, goesToSummary: Bool, _ connection: PostgresConnection
    ) throws -> Bool {
        let (session, accountID) = (new.session, new.accountID)
        try use(signIn.identity, of: accountID, at: session.createdAt, connection)
        guard try isOpen(accountID, to: signIn.proved, without: signIn.absent, connection) else {
            throw Superseded()
        }
        if let rehash = signIn.rehash {
            connection.later("UPDATE accounts SET password_hash = $1 WHERE id = $2", [rehash.phc, accountID])
        }
        if let step = signIn.secondStep { try end(step, of: accountID, at: session.createdAt, connection) }
        if let use = signIn.use { try apply(use, accountID, at: session.createdAt, connection) }
        if let key = signIn.failuresKey {
            connection.later("DELETE FROM login_failures WHERE key = $1", [key])
        }
        try giveBack(signIn.returned, connection)
        try start(new, connection)
        if session.provedBy == .password { notePasswordUse(of: accountID, at: session.createdAt, connection) }
        if !signIn.hasRoom { connection.afterCommit(Self.endOldest(besides: session)) }
        let hasMail =
            try signIn.notice.map { try tell($0, accountID, goesToSummary: goesToSummary, connection) } ?? false
        try signIn.mails.forEach { try insert($0, connection) }
        try signIn.events.forEach { try insert($0, connection) }
        return hasMail || !signIn.mails.isEmpty
    }

    /// Whether the account can sign in, its password is still the one that was proved, and it has
    /// none of those factors.
    func isOpen(
        _ accountID: AccountID, to proved: PasswordHash?, without absent: Set<SecondFactor> = [],
        _ connection: PostgresConnection
    ) throws -> Bool {
        try connection.one(
            "\(Self.openAccount) \(Self.lacksFactors(totp: "$3", passkeys: "$4"))",
            [accountID, proved?.phc, absent.contains(.totp), absent.contains(.passkey)]
        ) != nil
    }

    /// The account of `$1`, if the hash that was proved, if there is one, is `$2`.
    static let openAccount = """
        SELECT id FROM accounts WHERE id = $1 AND disabled_at IS NULL AND ($2 IS NULL OR password_hash = $2)
        """

    /// That the account of `$1` has no app and no passkey as a second factor, where those
    /// parameters ask.
    static func lacksFactors(totp: String, passkeys: String) -> String {
        """
        AND NOT (\(totp) AND EXISTS (SELECT FROM totp_keys WHERE account_id = $1))
        AND NOT (\(passkeys) AND EXISTS (SELECT FROM passkeys WHERE account_id = $1 AND is_second_factor))
        """
    }
}

extension Account {
    /// What `init(row:)` reads, of the table `accounts`, and the password's hash.
    static let columns = """
        accounts.id, accounts.email, accounts.email_key, accounts.display_name, accounts.password_hash, accounts.locale,
        accounts.terms_version, accounts.created_at, accounts.verified_at, accounts.disabled_at,
        (SELECT coalesce(string_agg(name, ','), '') FROM account_groups
            WHERE account_groups.account_id = accounts.id) AS group_names
        """

    /// Read in place of none, so that both take as long.
    fileprivate static let nobody: PostgresRow = {
        let texts = ["id", "email", "email_key", "display_name", "locale", "terms_version", "group_names"]
        let moments = ["created_at", "verified_at", "disabled_at"]
        return PostgresRow(
            columns: PostgresColumns(texts + moments),
            values: texts.map { _ in "nobody".postgresBytes } + moments.map { _ in Int64(0).postgresBytes })
    }()

    /// Of `columns`.
    init(row: PostgresRow) throws {
        self.init(
            id: try row["id"], email: try EmailAddress(row: row), displayName: try row["display_name"],
            createdAt: try row.date("created_at"), verifiedAt: try row.dateIfAny("verified_at"),
            disabledAt: try row.dateIfAny("disabled_at"), locale: try row["locale"],
            termsVersion: try row["terms_version"], groups: Self.groups(try row["group_names"])
        )
    }

    /// Names hold no comma.
    private static func groups(_ names: String) -> [String] {
        names.isEmpty ? [] : names.parts(by: ",").map { String($0) }.sorted()
    }
}

extension EmailAddress {
    /// Of the columns `email` and `email_key`.
    init(row: PostgresRow) throws {
        self.init(stored: try row["email"], key: try row["email_key"])
    }
}
