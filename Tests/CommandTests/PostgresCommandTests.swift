import Foundation
import TestSupport
import Testing

/// The program on a database of PostgreSQL.
@Suite(.timeLimit(.minutes(15)))
struct PostgresCommandTests {
    private func environment(_ url: String) -> [String: String] {
        ["VESTIBULE_DATABASE_URL": url, "VESTIBULE_SECRET_KEY": Data(repeating: 7, count: 32).base64EncodedString()]
    }

    @Test func `an empty database is migrated, filled, listed and copied to a file`() async throws {
        let server = try await PostgresServer.shared.value
        let url = server.url(of: try await server.makeDatabase())
        let program = try Program()
        #expect(try await program.run("migrate", environment: environment(url)).output == "6 migrations applied\n")
        #expect(try await program.run("migrate", environment: environment(url)).output == "up to date\n")
        let created = try await program.run(
            "users", "create", "ada@example.com", "--name", "Ada", environment: environment(url))
        #expect(created.status == 0)
        let doctor = try await program.run("doctor", environment: environment(url)).output
        #expect(doctor.contains("ok   store\n"), "\(doctor)")
        let copied = try await program.run("copy", url, "sqlite:copy.sqlite")
        #expect(copied.status == 0 && copied.output.contains("accounts"))
        let listed = try await program.run("users", "list", environment: environment("sqlite:copy.sqlite"))
        #expect(listed.output.contains("ada@example.com"))
        let again = try await program.run("copy", "sqlite:copy.sqlite", url)
        #expect(again.status == 1 && again.isRefusal && again.errors.contains("not empty"))
    }

    @Test(arguments: ["serve", "migrate", "users list"])
    func `a database that cannot be opened is one line, a hint and no password`(command: String) async throws {
        let server = try await PostgresServer.shared.value
        let program = try Program()
        let missing = server.url(of: "nobody-made-this").replacing("@/", with: ":geheim@/")
        let refused: [(url: String, status: Int32, says: String)] = [
            (missing, 1, "does not exist"),
            ("postgres://ada:geheim@127.0.0.1:1/door", 1, "127.0.0.1"),
            ("postgres://ada:geheim@[::1/door", 78, "cannot be read"),
            ("postgres://ada:geheim/x@127.0.0.1:1/door", 78, "%2F"),
            ("postgres://ada:1/geheim@127.0.0.1:1/door", 78, "%2F"),
            ("postgres://ada:x@geheim@127.0.0.1:1/door", 78, "%40"),
            ("postgres://ada@127.0.0.1/door?port=geheim", 78, "port"),
            ("postgres://ada:geheim@door1,door2/door?hostaddr=127.0.0.1", 78, "2 servers and 1"),
        ]
        for (url, status, says) in refused {
            let outcome = try await program.run(
                command.split(separator: " ").map(String.init), environment: environment(url))
            #expect(outcome.status == status && outcome.isRefusal, "\(outcome.errors)")
            #expect(outcome.errors.contains(says) && !outcome.errors.contains("geheim"), "\(outcome.errors)")
        }
    }

    @Test(arguments: ["LATIN1", "SQL_ASCII"])
    func `a database that cannot hold every letter is refused before anything is in it`(encoding: String) async throws {
        let server = try await PostgresServer.shared.value
        let url = server.url(of: try await server.makeDatabase(encoding: encoding))
        let program = try Program()
        for command in [["migrate"], ["serve"], ["users", "list"]] {
            let outcome = try await program.run(command, environment: environment(url))
            #expect(outcome.status == 1 && outcome.isRefusal, "\(outcome.errors)")
            let sentence = "the database has the encoding \(encoding), and must have UTF8\nhint: Make one with"
            #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        }
        let doctor = try await program.run("doctor", environment: environment(url)).output
        #expect(doctor.contains("FAIL store: ") && doctor.contains("createdb -E UTF8 -T template0"), "\(doctor)")
    }

    @Test func `a backup says whose tools make one`() async throws {
        let server = try await PostgresServer.shared.value
        let url = server.url(of: try await server.makeDatabase())
        let program = try Program()
        let outcome = try await program.run("backup", "copy.sqlite", environment: environment(url))
        #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("pg_dump"))
    }
}
