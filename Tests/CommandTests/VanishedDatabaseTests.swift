import Foundation
import Testing

@testable import Essentials

/// A database that was there and is not any more: never taken for a first start.
@Suite(.timeLimit(.minutes(15)))
struct VanishedDatabaseTests {
    /// What can become of the file.
    enum Loss: CaseIterable { case missing, empty, blank }

    private func inflict(_ loss: Loss, on program: Program) async throws {
        try FileManager.default.removeItem(atPath: program.database)
        switch loss {
        case .missing: break
        case .empty: try program.write("", to: "data/vestibule.sqlite")
        case .blank:
            let script = "import sqlite3; sqlite3.connect('data/vestibule.sqlite').execute('PRAGMA journal_mode = WAL')"
            #expect(try await program.run(["-c", script], of: "/usr/bin/python3").status == 0)
        }
    }

    @Test(arguments: Loss.allCases, ["serve", "migrate"])
    func `a database that vanished stops the start until a new one is meant`(loss: Loss, command: String) async throws {
        let program = try Program()
        try await program.settle()
        try await inflict(loss, on: program)
        let outcome = try await program.run(command)
        #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("--new-database"))
        #expect(outcome.errors.contains("data/vestibule.sqlite"))
        #expect(outcome.errors.contains("To start with a new one, or to take the one that is there now, "))
        // Nothing was made in its place.
        let size = FileManager.default.contents(atPath: program.database)?.count
        #expect(loss == .missing ? size == nil : loss == .blank || size == 0)
        let found = try await program.run("doctor").output
        #expect(found.contains("FAIL store: ") && found.contains("--new-database"))
        let listed = try await program.run("users", "list")
        let facts: [Loss: String] = [.missing: "is missing", .empty: "is empty"]
        if let fact = facts[loss] {
            #expect(listed.errors.contains("that was here before \(fact)"), "\(listed.errors)")
        }
        #expect(try await program.run("migrate", "--new-database").status == 0)
        #expect(try await program.run("migrate").output == "up to date\n")
        #expect(try await program.run("doctor").output.contains("ok   store\n"))
    }

    @Test(arguments: ["development", "production"])
    func `a folder that this user may not enter is no vanished database`(mode: String) async throws {
        let program = try Program()
        let settings = mode == "production" ? Self.production : [:]
        #expect(try await program.run("migrate", environment: settings).status == 0)
        try program.chmod(0, "data")
        for command in [["serve"], ["migrate"], ["users", "list"]] {
            let outcome = try await program.runHeldBack(command, environment: settings)
            #expect(outcome.status == 1 && outcome.isRefusal, "\(command): \(outcome.errors)")
            #expect(
                outcome.errors.contains(
                    "data/vestibule.sqlite cannot be reached: this user may not enter a folder above it"),
                "\(outcome.errors)")
            #expect(!outcome.errors.contains("--new-database"))
        }
        let found = try await program.runHeldBack("doctor", environment: settings)
        let line = "FAIL store: data/vestibule.sqlite cannot be reached: this user may not enter a folder above it"
        #expect(found.status == 1 && found.output.contains(line), "\(found.output)")
        try program.chmod(0o700, "data")
    }

    @Test func `a secret key that this user may not read is not called broken`() async throws {
        let program = try Program()
        try await program.settle()
        try program.chmod(0, "data/secret.key")
        let refused = try await program.runHeldBack("serve")
        #expect(refused.status == 78 && refused.isRefusal)
        #expect(refused.errors.contains("data/secret.key cannot be read: this user may not"), "\(refused.errors)")
        #expect(!refused.errors.contains("VESTIBULE_SECRET_KEY"))
    }

    private static let production = [
        "VESTIBULE_MODE": "production", "VESTIBULE_PUBLIC_URL": "https://a.example",
        "VESTIBULE_SECRET_KEY": Data(repeating: 7, count: 32).base64EncodedString(),
        "VESTIBULE_MAIL_URL": "smtp://127.0.0.1:1", "VESTIBULE_MAIL_FROM": "a@b.example",
    ]

    @Test func `serve begins anew where that is meant, once`() async throws {
        let program = try Program()
        try await program.settle()
        try await inflict(.missing, on: program)
        let server = try await Server(program, arguments: ["--new-database"])
        #expect(try await server.send("/readyz").status == 200)
        #expect(await server.end(SIGTERM) == 0)
        try await program.settle()
    }

    @Test func `another database in its place stops the start, and a backup of it does not`() async throws {
        let program = try Program()
        try await program.settle()
        #expect(try await program.run("backup", "copy.sqlite").status == 0)
        let other = try Program()
        try await other.settle()
        try FileManager.default.removeItem(atPath: program.database)
        try FileManager.default.copyItem(atPath: other.database, toPath: program.database)
        let outcome = try await program.run("serve")
        #expect(
            outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("is another one"), "\(outcome.errors)")
        for command in ["doctor", "upgrade-check"] {
            let found = try await program.run(command)
            #expect(found.status == 1 && found.output.contains("is another one"), "\(found.output)")
        }
        try FileManager.default.removeItem(atPath: program.database)
        try FileManager.default.copyItem(atPath: program.folder + "/copy.sqlite", toPath: program.database)
        try await program.settle()
    }

    @Test func `the mark of production is outside of the folder of the database`() async throws {
        let program = try Program()
        #expect(try await program.run("migrate", environment: Self.production).status == 0)
        try FileManager.default.removeItem(atPath: program.folder + "/data")
        let outcome = try await program.run("migrate", environment: Self.production)
        #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("--new-database"))
        #expect(!FileManager.default.fileExists(atPath: program.folder + "/data"))
    }

    @Test(arguments: ["./data", "FOLDER/data", "link"])
    func `a vanished database is known by whichever path it is called`(folder: String) async throws {
        let program = try Program()
        try await program.settle()
        try FileManager.default.createSymbolicLink(atPath: program.folder + "/link", withDestinationPath: "data")
        try FileManager.default.removeItem(atPath: program.database)
        let url = "sqlite:\(folder.replacing("FOLDER", with: program.folder))/vestibule.sqlite"
        let outcome = try await program.run("migrate", environment: ["VESTIBULE_DATABASE_URL": url])
        #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("--new-database"))
    }

    @Test(arguments: ["serve", "migrate"])
    func `a path beside the database that was here stops the start until a new one is meant`(
        command: String
    ) async throws {
        let program = try Program()
        try await program.settle()
        let mistyped = ["VESTIBULE_DATABASE_URL": "sqlite:data/vestibule.sqllite"]
        let outcome = try await program.run(command, environment: mistyped)
        #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("--new-database"))
        #expect(
            outcome.errors.contains(
                "there is no database data/vestibule.sqllite, and the one that was here before is "
                    + "data/vestibule.sqlite"), "\(outcome.errors)")
        #expect(try await program.run("users", "list", environment: mistyped).errors.contains("the one that was here"))
        let found = try await program.run("doctor", environment: mistyped)
        #expect(found.status == 1 && found.output.contains("FAIL store: there is no database"), "\(found.output)")
        #expect(try program.databaseFiles() == ["vestibule.sqlite"])
        #expect(try await program.run("migrate", "--new-database", environment: mistyped).status == 0)
        // Both are known from now on.
        #expect(try await program.run("migrate", environment: mistyped).output == "up to date\n")
        #expect(try await program.run("migrate").output == "up to date\n")
    }

    @Test func `a database that was moved is taken where it is`() async throws {
        let program = try Program()
        try await program.settle()
        try FileManager.default.moveItem(atPath: program.database, toPath: program.folder + "/data/door.sqlite")
        let moved = ["VESTIBULE_DATABASE_URL": "sqlite:data/door.sqlite"]
        #expect(try await program.run("migrate", environment: moved).output == "up to date\n")
    }
}
