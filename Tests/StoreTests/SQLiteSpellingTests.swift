import GRDB
import Testing

@testable import VestibuleSQL
@testable import VestibuleSQLite

/// Statements that are written once, as SQLite takes them.
struct SQLiteSpellingTests {
    @Test(arguments: [
        ("UPDATE a SET b = $2 WHERE c = $1", "UPDATE a SET b = ?2 WHERE c = ?1"),
        ("SET b = greatest(b, $1)", "SET b = max(b, ?1)"),
        ("SELECT string_agg(name, ',')", "SELECT group_concat(name, ',')"),
        ("SELECT 1 FROM a WHERE b = $1 FOR NO KEY UPDATE", "SELECT 1 FROM a WHERE b = ?1"),
        ("ORDER BY at DESC, number DESC", "ORDER BY at DESC, rowid DESC"),
        ("SELECT a LIMIT 1 FOR UPDATE SKIP LOCKED", "SELECT a LIMIT 1"),
        (
            "coalesce(encode(a, 'hex'), '') <> ALL ($1)",
            "coalesce(lower(hex(a)), '') NOT IN (SELECT value FROM json_each(?1))"
        ),
        ("SET b = sha256(uuid_send(gen_random_uuid()))", "SET b = randomblob(32)"),
        (
            "a = ANY ($1) OR (b = ANY ($2) AND c)",
            "a IN (SELECT value FROM json_each(?1)) OR (b IN (SELECT value FROM json_each(?2)) AND c)"
        ),
        (
            "a = ANY ($2) AND (b OR c) AND lower(d) = $1 ORDER BY e, number LIMIT 1 FOR UPDATE SKIP LOCKED",
            "a IN (SELECT value FROM json_each(?2)) AND (b OR c) AND lower(d) = ?1 ORDER BY e, rowid LIMIT 1"
        ),
    ])
    func `what PostgreSQL calls otherwise is translated`(text: String, spelled: String) {
        #expect(SQLiteSpelling.of(text).sql == spelled)
    }

    @Test func `a text is translated once`() {
        #expect(SQLiteSpelling.of("SELECT $1") === SQLiteSpelling.of("SELECT $1"))
    }

    @Test func `an array is looked through whatever its texts hold`() throws {
        let found = try DatabaseQueue().read { database in
            try database.all("SELECT 1 AS one WHERE $1 = ANY ($2)", ["\"a',", ["b", "\"a',"]])
        }
        #expect(found.count == 1)
    }

    @Test func `a NULL where there must be a value is a fault`() throws {
        let row = try #require(try DatabaseQueue().read { try $0.one("SELECT NULL AS missing") })
        #expect(throws: SQLMismatch.self) { try row["missing"] as String }
    }

    @Test func `a value of another type is a fault`() throws {
        let row = try #require(try DatabaseQueue().read { try $0.one("SELECT 'text' AS number") })
        #expect(throws: SQLMismatch.self) { try row["number"] as Int? }
    }

    @Test func `a column that is not there is a fault`() throws {
        let row = try #require(try DatabaseQueue().read { try $0.one("SELECT 1 AS one") })
        #expect(throws: SQLMismatch.self) { try row["two"] as Int? }
    }
}
