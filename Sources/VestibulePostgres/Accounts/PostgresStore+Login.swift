import Essentials
import PasswordHashing
package import Vestibule
import VestibuleSQL

extension PostgresStore {
    package func loginRecord(
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

    /// Whether there were too many mails to send one more, before the transaction begins.
    private func goesToSummary(_ signIn: ProvedSignIn) async throws -> Bool {
        guard let notice = signIn.notice else { return false }
        // Transactions that count fail when they meet; most need not, as there are no fewer mails
        // when one has begun.
        return try await readOne { try isOneTooMany(notice, signIn.account.id, $0) }
    }

    package func add(_ failure: SecurityEvent, _ connection: PostgresConnection) throws {
        connection.later(
            """
            INSERT INTO security_events AS sum (id, kind, account_id, at, address, user_agent)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (id) DO UPDATE SET at = greatest(sum.at, excluded.at), address = excluded.address,
                user_agent = excluded.user_agent, count = sum.count + 1, number = DEFAULT
            """,
            [
                failure.id, failure.kind.name, failure.accountID, failure.at.ms, failure.address.text,
                failure.userAgent,
            ]
        )
    }
}

extension Account {
    /// Decoded when there is no account, so that both cases take as long.
    fileprivate static let nobody: PostgresRow = {
        let texts = ["id", "email", "email_key", "display_name", "locale", "terms_version", "group_names"]
        let moments = ["created_at", "verified_at", "disabled_at"]
        return PostgresRow(
            columns: SQLColumns(texts + moments),
            values: texts.map { _ in Array("nobody".utf8) } + moments.map { _ in [UInt8](repeating: 0, count: 8) })
    }()
}
