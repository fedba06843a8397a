import Essentials
import PasswordHashing
package import Vestibule
import VestibuleSQL

/// Accounts wait in a temporary table of a connection of their own: no other one sees it, and it
/// goes with the connection.
extension PostgresStore {
    /// For a million accounts that become rows in one statement.
    private static let patience: Duration = .seconds(3600)

    package func beginImport() async throws {
        try await onThread { [pool, imports] in
            try imports.open(pool, patience: Self.patience).execute(Self.stagedAccounts)
        }
    }

    package func stage(_ accounts: [StagedAccount]) async throws -> [RefusedLine] {
        guard !accounts.isEmpty else { return [] }
        return try await aside { connection in
            let kept = try Self.stage(accounts, connection)
            let repeated = accounts.filter { !kept.contains($0.line) }
            let refused = try Self.refuse(repeated, connection)
            let taken = try connection.all(
                """
                DELETE FROM staged_accounts USING accounts
                WHERE line = ANY ($1) AND accounts.email_key = staged_accounts.email_key RETURNING line
                """,
                [kept.map(Int64.init)])
            return try refused + taken.map { RefusedLine(line: try $0["line"], refusal: .taken) }
        }
    }

    package func completeImport(skipTaken: Bool, event: SecurityEvent) async throws -> ImportCompletion {
        try await aside { connection in
            try connection.execute("ANALYZE staged_accounts")
            try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            do {
                let completion = try makeStaged(skipTaken: skipTaken, event: event, connection)
                try connection.execute("COMMIT")
                return completion
            } catch let taken as TakenMeanwhile {
                try connection.execute("ROLLBACK")
                return .taken(taken.lines)
            } catch {
                try connection.rollBack()
                throw error
            }
        }
    }

    package func endImport() async throws {
        imports.close()
    }

    /// Works with the connection that holds what is staged.
    private func aside<Value: Sendable>(_ work: @escaping PostgresWork<Value>) async throws -> Value {
        try await onThread { [imports] in
            guard let connection = imports.current else { throw StoreUnavailable("the import has lost its connection") }
            return try work(connection)
        }
    }

    /// Returns the lines of those whose mailbox was not staged before.
    private static func stage(_ accounts: [StagedAccount], _ connection: PostgresConnection) throws -> Set<Int> {
        let rows = try connection.all(
            """
            INSERT INTO staged_accounts (
                line, id, email, email_key, display_name, password_hash, locale, created_at, verified_at, totp,
                recovery_key, recovery_digests
            ) SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (email_key) DO NOTHING RETURNING line
            """,
            [
                accounts.map { Int64($0.line) }, accounts.map(\.account.id.rawValue),
                accounts.map(\.account.email.typed), accounts.map(\.account.email.key),
                accounts.map(\.account.displayName), accounts.map { $0.passwordHash?.phc },
                accounts.map(\.account.locale), accounts.map(\.account.createdAt.ms),
                accounts.map { $0.account.verifiedAt?.ms }, accounts.map { $0.factors?.totp },
                accounts.map { $0.factors?.codes?.sealedKey },
                accounts.map { $0.factors?.codes.map { Array($0.digests.joined()) } },
            ])
        return Set(try rows.map { try $0["line"] })
    }

    /// Names the line that each of them repeats.
    private static func refuse(_ repeated: [StagedAccount], _ connection: PostgresConnection) throws -> [RefusedLine] {
        guard !repeated.isEmpty else { return [] }
        let rows = try connection.all(
            "SELECT email_key, line FROM staged_accounts WHERE email_key = ANY ($1)",
            [repeated.map(\.account.email.key)])
        let lines = Dictionary(
            try rows.map { (try $0["email_key"] as String, try $0["line"] as Int) }, uniquingKeysWith: min)
        return repeated.map { account in
            RefusedLine(line: account.line, refusal: .repeated(line: lines[account.account.email.key] ?? 0))
        }
    }
}
