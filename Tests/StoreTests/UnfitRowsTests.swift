import Foundation
import GRDB
import Testing

@testable import Vestibule
@testable import VestibuleSQLite

/// Rows of older versions that break a rule of this one.
struct UnfitRowsTests {
    @Test(arguments: TableRebuild.accounts + TableRebuild.codeFlows + TableRebuild.operation)
    func `a row that breaks a rule goes where that is harmless, and stops the migration where it is not`(
        rebuild: TableRebuild
    ) throws {
        // In a database that is new, so that each table has a CHECK to break.
        let database = try MigrationTests.database(of: Migration.checks.name, SampleRows.insert)
        let key = try #require(try database.read { try $0.primaryKey(rebuild.table).columns.first })
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF")
            let bad = key == "one" ? "one = 2" : key == "hour" ? "hour = -1" : "\(key) = ''"
            let isBytes = try Bool.fetchOne(database, sql: "SELECT typeof(\(key)) = 'blob' FROM \(rebuild.table)")
            let change = rebuild.table == "sign_in_summaries" ? "since = -1" : isBytes == true ? "\(key) = x''" : bad
            try database.execute(sql: "UPDATE \(rebuild.table) SET \(change); PRAGMA ignore_check_constraints = OFF")
            guard rebuild.unfit == .refused else {
                try rebuild.run(database)
                #expect(try Row.fetchOne(database, sql: "SELECT 1 FROM \(rebuild.table)") == nil)
                return
            }
            let refusal = #expect(throws: UnfitRows.self) { try rebuild.run(database) }
            #expect(refusal?.table == rebuild.table && refusal?.count == 1)
            #expect(refusal?.rule.hasPrefix("CHECK constraint failed: ") == true)
        }
    }

    @Test func `an upgrade that is refused changes nothing and names the row`() throws {
        let path = try Engine.temporaryFolder() + "/vestibule.sqlite"
        let old = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(old, upTo: MigrationTests.beforeChecks)
        try old.write { database in
            try SampleRows.insert(database)
            try database.execute(sql: "UPDATE consents SET text_digest = x'00'")
        }
        let (rows, schema) = (try MigrationTests.rows(old), try MigrationTests.schema(old))
        try old.close()
        let store = try SQLiteStore(path: path)
        let refusal = #expect(throws: UnfitRows.self) { try store.migrate() }
        #expect(
            refusal?.description
                == "1 row of consents cannot be kept (CHECK constraint failed: length(text_digest) = 32), "
                + "the first WHERE id = 'c'")
        try store.close()
        let after = try DatabaseQueue(path: path)
        #expect(try MigrationTests.rows(after) == rows)
        #expect(try MigrationTests.schema(after) == schema)
    }
}
