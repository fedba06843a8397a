import Essentials
import GRDB
import PasswordHashing
package import Vestibule
import VestibuleSQL

/// Accounts wait in a temporary table of the writer's connection: a file that SQLite has already
/// unlinked, so it is gone with the process, and that no other connection sees or waits for.
extension SQLiteStore {
    /// KiB the connection may hold of the table and of the database, so that indexes are filled
    /// without reading them again from the disk.
    private static let cacheKiB = 65_536

    /// An address was taken while others were being checked.
    private struct TakenMeanwhile: Error {
        let lines: [Int]
    }

    package func beginImport() async throws {
        try await endImport()
        try await aside { database in
            try database.execute(
                sql: """
                    PRAGMA temp.cache_size = -\(Self.cacheKiB);
                    CREATE TEMPORARY TABLE staged_accounts (
                        line INTEGER PRIMARY KEY,
                        id TEXT NOT NULL,
                        email TEXT NOT NULL,
                        email_key TEXT NOT NULL UNIQUE,
                        display_name TEXT NOT NULL,
                        password_hash TEXT,
                        locale TEXT NOT NULL,
                        created_at INTEGER NOT NULL,
                        verified_at INTEGER,
                        totp BLOB,
                        recovery_key BLOB,
                        recovery_digests BLOB
                    ) STRICT
                    """
            )
        }
    }

    package func stage(_ accounts: [StagedAccount]) async throws -> [RefusedLine] {
        try await aside { database in
            let repeated = try accounts.compactMap { try stage($0, database) }
            let lines = accounts.map(\.line)
            guard let first = lines.min(), let last = lines.max() else { return [] }
            let taken = try Self.takenLines(database, first...last)
            for line in taken { try database.run("DELETE FROM staged_accounts WHERE line = $1", [line]) }
            return repeated + taken.map { RefusedLine(line: $0, refusal: .taken) }
        }
    }

    package func completeImport(skipTaken: Bool, event: SecurityEvent) async throws -> ImportCompletion {
        let staged = try await aside { database in
            try database.execute(sql: "PRAGMA main.cache_size = -\(Self.cacheKiB)")
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM staged_accounts") ?? 0
        }
        do {
            let completion = try await write { database in
                let taken = try Self.makeAccounts(of: staged, database)
                guard taken.isEmpty || skipTaken else { throw TakenMeanwhile(lines: taken) }
                if staged > taken.count { try insert(event, database) }
                return ImportCompletion.done(staged - taken.count, taken: taken)
            }
            await cutLog()
            return completion
        } catch let taken as TakenMeanwhile {
            return .taken(taken.lines)
        }
    }

    package func endImport() async throws {
        try await aside { database in
            try database.execute(sql: "DROP TABLE IF EXISTS temp.staged_accounts")
        }
    }

    /// The refusal, when the mailbox is staged already.
    private func stage(_ new: StagedAccount, _ database: Database) throws -> RefusedLine? {
        let account = new.account
        let staged = try database.run(
            """
            INSERT INTO staged_accounts VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (email_key) DO NOTHING
            """,
            [
                new.line, account.id, account.email.typed, account.email.key, account.displayName,
                new.passwordHash?.phc, account.locale, account.createdAt.ms, account.verifiedAt?.ms,
                new.factors?.totp, new.factors?.codes?.sealedKey,
                new.factors?.codes.map { Array($0.digests.joined()) },
            ])
        guard staged == 0 else { return nil }
        let first = try database.one("SELECT line FROM staged_accounts WHERE email_key = $1", [account.email.key])
        return RefusedLine(line: new.line, refusal: .repeated(line: try first?["line"] ?? 0))
    }

    /// Returns the lines of those that were not made. Runs while everybody else waits: no step that
    /// is not needed.
    private static func makeAccounts(of staged: Int, _ database: Database) throws -> [Int] {
        try database.execute(
            sql: """
                INSERT INTO accounts (
                    id, email, email_key, display_name, password_hash, locale, created_at, verified_at
                ) SELECT id, email, email_key, display_name, password_hash, locale, created_at, verified_at
                FROM staged_accounts WHERE true ORDER BY line
                ON CONFLICT (email_key) DO NOTHING
                """
        )
        let made = database.changesCount
        try makeFactors(database)
        guard made < staged else { return [] }
        return try Int.fetchAll(
            database, sql: "SELECT line FROM staged_accounts WHERE id NOT IN (SELECT id FROM accounts) ORDER BY line"
        )
    }

    /// Of those accounts that were made. Digests of codes are staged one after the other.
    private static func makeFactors(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO factor_keys (account_id, kind, sealed, counter, created_at)
                SELECT id, 'totp', totp, 0, created_at FROM staged_accounts
                WHERE totp IS NOT NULL AND id IN (SELECT id FROM accounts);
                INSERT INTO factor_keys (account_id, kind, sealed, counter, created_at)
                SELECT id, 'recovery_code', recovery_key, length(recovery_digests) / 32, created_at
                FROM staged_accounts
                WHERE recovery_key IS NOT NULL AND id IN (SELECT id FROM accounts);
                WITH RECURSIVE places (start) AS (
                    SELECT 1 UNION ALL SELECT start + 32 FROM places
                    WHERE start + 32 <= (SELECT max(length(recovery_digests)) FROM staged_accounts)
                )
                INSERT INTO factor_codes (account_id, kind, digest)
                SELECT id, 'recovery_code', substr(recovery_digests, start, 32) FROM staged_accounts, places
                WHERE start <= length(recovery_digests) AND id IN (SELECT id FROM accounts)
                """)
    }

    private static func takenLines(_ database: Database, _ lines: ClosedRange<Int>) throws -> [Int] {
        try Int.fetchAll(
            database,
            sql: """
                SELECT line FROM staged_accounts WHERE line BETWEEN ? AND ?
                AND EXISTS (SELECT 1 FROM accounts WHERE accounts.email_key = staged_accounts.email_key)
                """,
            arguments: [lines.lowerBound, lines.upperBound]
        )
    }
}
