import Essentials
import GRDB
import PasswordHashing
package import Vestibule
import VestibuleSQL

/// Accounts wait in a temporary table of the writer's connection: a file that SQLite has already
/// unlinked, so it is gone with the process, and that no other connection sees or waits for.
extension SQLiteStore {
    /// KiB of page cache for an import or a copy, so that indexes are filled without reading them
    /// again from the disk.
    static let bulkCacheKiB = 65_536

    package func beginImport() async throws {
        try await endImport()
        try await aside { database in
            try database.execute(sql: "PRAGMA temp.cache_size = -\(Self.bulkCacheKiB)")
            try database.execute(sql: Schema.spelled(Self.stagedAccounts) + " STRICT")
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
        try await aside { try $0.execute(sql: "PRAGMA main.cache_size = -\(Self.bulkCacheKiB)") }
        do {
            let completion = try await write { try makeStaged(skipTaken: skipTaken, event: event, $0) }
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
