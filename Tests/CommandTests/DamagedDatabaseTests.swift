import Foundation
import TestSupport
import Testing

@testable import Essentials

/// Pages of the file that hold something else than SQLite wrote.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct DamagedDatabaseTests {
    /// Overwrites the leaf pages of the table and of the index that login searches, one of each or
    /// all.
    private static let damage = """
        import sqlite3, struct, sys, time
        path, which = 'data/vestibule.sqlite', sys.argv[1]
        d = sqlite3.connect(path)
        size = d.execute('PRAGMA page_size').fetchone()[0]
        roots = dict(d.execute("SELECT name, rootpage FROM sqlite_schema WHERE tbl_name = 'accounts'"))
        # A server that checkpoints at this moment is not waited for by SQLite.
        while d.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchone() != (0, 0, 0): time.sleep(0.01)
        d.close()
        def leaves(file, number):
            file.seek((number - 1) * size)
            page = file.read(size)
            if page[0] in (10, 13): return [number]
            count = struct.unpack('>H', page[3:5])[0]
            cells = [struct.unpack('>H', page[12 + 2 * i:14 + 2 * i])[0] for i in range(count)]
            below = [struct.unpack('>I', page[c:c + 4])[0] for c in cells] + [struct.unpack('>I', page[8:12])[0]]
            return [leaf for child in below for leaf in leaves(file, child)]
        with open(path, 'r+b') as file:
            name = 'accounts' if which == 'table' else 'sqlite_autoindex_accounts_2'
            found = leaves(file, roots[name])
            assert len(found) > 2
            file.seek((found[len(found) // 2] - 1) * size)
            file.write(b'\\xa5' * size)
        """

    private func damage(_ what: String, _ program: Program) async throws {
        let outcome = try await program.run(["-c", Self.damage, what], of: "/usr/bin/python3")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// Whether it says so within as many questions as a monitor asks in a few minutes.
    private func says(store server: Server) async throws -> Bool {
        for _ in 0..<40 {
            let answer = try await server.send("/readyz")
            if answer.status == 503 { return answer.body == "store\n" }
        }
        return false
    }

    @Test(arguments: ["table", "index"], [true, false])
    func `a damaged page is found by readyz`(what: String, isRunning: Bool) async throws {
        let program = try Program()
        try await program.populate((0..<1000).map { "m\($0)@example.com" })
        try await program.settle()
        if !isRunning { try await damage(what, program) }
        let server = try await Server(program, environment: Program.easy)
        if isRunning {
            #expect(try await server.send("/readyz").status == 200)
            try await damage(what, program)
        }
        #expect(try await says(store: server))
        // It stays so, whatever page is read next.
        #expect(try await server.send("/readyz").status == 503)
        _ = await server.end(SIGTERM)
    }

    @Test func `a command that meets damage, and a backup of it, lead to an earlier backup`() async throws {
        let program = try Program()
        try await program.populate((0..<1000).map { "m\($0)@example.com" })
        try await program.settle()
        try await damage("table", program)
        let listed = try await program.run("users", "list", "--all")
        #expect(listed.status == 1 && listed.errors.contains("restore a backup"), "\(listed.errors)")
        let copied = try await program.run("backup", "copy.sqlite")
        #expect(copied.status == 1 && copied.isRefusal)
        #expect(copied.errors.contains("the copy is damaged, most likely as the database is"), "\(copied.errors)")
        #expect(copied.errors.contains("restore an earlier backup"), "\(copied.errors)")
    }

    @Test(arguments: [["users", "list"], ["doctor"], ["migrate"]])
    func `a database that another program keeps locked is not called damaged`(command: [String]) async throws {
        let program = try Program()
        try await program.settle()
        let script = """
            import sqlite3, subprocess, sys
            d = sqlite3.connect('data/vestibule.sqlite')
            d.execute('PRAGMA locking_mode = EXCLUSIVE')
            d.execute('BEGIN EXCLUSIVE')
            done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
            print(done.stdout, done.stderr)
            """
        let path = BuiltProgram.executable.path
        let said = try await program.run(["-c", script, path] + command, of: "/usr/bin/python3").output
        #expect(said.contains("Another program holds a lock in the database") && !said.contains("backup"), "\(said)")
    }

    @Test func `damage that a login meets is found, too`() async throws {
        let program = try Program()
        try await program.populate((0..<1000).map { "m\($0)@example.com" })
        try await program.settle()
        try await damage("table", program)
        let server = try await Server(program, environment: Program.easy)
        var statuses: Set<Int> = []
        for number in stride(from: 0, to: 1000, by: 10) where !statuses.contains(503) {
            let form = "email=m\(number)%40example.com&password=x"
            statuses.insert(try await server.send("/login", form: form).status)
        }
        #expect(statuses.contains(503))
        #expect(try await server.send("/readyz").body == "store\n")
        _ = await server.end(SIGTERM)
    }
}
