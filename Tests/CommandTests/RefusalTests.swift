import Foundation
import TestSupport
import Testing

@testable import VestibuleSQL
@testable import VestibuleSQLite

/// What commands of administration say no to.
@Suite(.timeLimit(.minutes(15)))
struct RefusalTests {
    @Test(arguments: [
        ["users", "show"], ["users", "disable"], ["users", "enable"], ["users", "verify"], ["users", "send-reset"],
        ["users", "groups"], ["users", "groups", "--add", "x"],
        ["users", "delete"], ["sessions", "list"], ["sessions", "end", "--all"], ["audit", "tail", "--account"],
    ])
    func `an unknown account is exit 1, an error and a hint`(command: [String]) async throws {
        let program = try Program()
        try await program.settle()
        for name in ["nobody@example.com", "no-such-id", "@@"] {
            let outcome = try await program.run(command + [name])
            #expect(outcome.status == 1 && outcome.isRefusal)
            #expect(outcome.errors.contains("there is no account \(name)") && outcome.errors.contains("users list"))
        }
    }

    @Test(arguments: [["users", "show"], ["audit", "tail", "--account"], ["users", "disable"]])
    func `an address that an account has left names that account, and nothing is done to it`(command: [String])
        async throws
    {
        let program = try Program()
        try await program.populate(["thief@example.net"])
        try await program.settle()
        let leave = """
            import sqlite3
            d = sqlite3.connect('data/vestibule.sqlite')
            [(id,)] = d.execute('SELECT id FROM accounts')
            d.execute("INSERT INTO email_undos VALUES (zeroblob(32), ?, 'Ada@example.com', 'ada@example.com', 0, 9)", [id])
            d.commit()
            print(id)
            """
        let id = try await program.run(["-c", leave], of: "/usr/bin/python3").output.trimmingCharacters(in: .newlines)
        let outcome = try await program.run(command + ["ada@example.com"])
        #expect(outcome.status == 1 && outcome.isRefusal)
        let hint = "It was the address of account \(id) until 1970-01-01 00:00:00 UTC: name that id."
        #expect(!id.isEmpty && outcome.errors.contains(hint), "\(outcome.errors)")
        #expect(try await program.run("users", "show", id).output.contains("state     unverified"))
    }

    @Test func `who cannot read what was done is told that it may be done`() async throws {
        let program = try Program()
        try await program.settle()
        let line = "\(BuiltProgram.executable.path) users create ada@example.com > /dev/full"
        let outcome = try await program.run(["-c", line], of: "/bin/bash")
        #expect(outcome.status == 1 && outcome.isRefusal)
        #expect(outcome.errors.contains("What was asked for may be done already: look before you repeat it."))
        #expect(try await program.run("users", "list", "--json").objects().count == 1)
    }

    @Test(arguments: ["version", "signals key", "doctor --settings", "doctor --missing fr"])
    func `what cannot be printed is a failure`(command: String) async throws {
        let program = try Program()
        let line = "\(BuiltProgram.executable.path) \(command) > /dev/full"
        let key = ["VESTIBULE_SECRET_KEY": Data(repeating: 7, count: 32).base64EncodedString()]
        let outcome = try await program.run(["-c", line], of: "/bin/bash", environment: key)
        #expect(outcome.status == 1 && outcome.errors.contains("the output cannot be written"), "\(outcome)")
    }

    @Test(arguments: [
        ["users", "list", "--limit", "0"], ["users", "list", "--limit", "1001"], ["users", "list", "--after", "x"],
        ["users", "list", "--all", "--limit", "5"], ["users", "show"], ["users", "create"], ["users", "nonsense"],
        ["sessions", "end", "a@example.com"], ["sessions", "end", "a@example.com", "x", "--all"],
        ["mail", "list", "--limit", "0"], ["mail", "list", "--after", "x"], ["mail", "retry"],
        ["mail", "retry", "x", "--failed"], ["audit", "tail", "--limit", "-1"], ["audit", "tail", "--limit", "10001"],
        ["backup"], ["copy", "sqlite:a.sqlite", "sqlite:a.sqlite"], ["signals", "list", "--limit", "10001"],
        ["signals", "retry"], ["signals", "retry", "x", "--failed"],
        ["users", "--password", "x"], ["users", "groups"], ["users", "groups", "a@example.com", "--add", "a,b"],
        ["users", "groups", "a@example.com", "--remove", ""],
        ["users", "groups", "a@example.com", "--add", "x", "--remove", "x"],
        ["tokens", "create", "--app", "notes"], ["tokens", "create", "--label", "x"],
        ["tokens", "create", "--app", "notes", "--label", " "],
        ["tokens", "create", "--app", "notes", "--label", "x", "--expires", "soon"],
        ["tokens", "create", "--app", "notes", "--label", "x", "--expires", "0d"],
        ["tokens", "create", "--app", "notes", "--label", "x", "--expires", "3651d"],
        ["tokens", "revoke"], ["keys", "rotate", "now"],
    ])
    func `bad usage is exit 64, an error and a hint`(arguments: [String]) async throws {
        let outcome = try await Program().run(arguments)
        #expect(outcome.status == 64 && outcome.isRefusal)
    }

    @Test(arguments: [
        (["doctor", "--tune", "25"], "1ms to 10000ms, such as 25ms."),
        (["users", "list", "--limit", "x"], "A whole number from 1 to 1000."),
        (["mail", "list", "--limit", "0"], "A whole number from 1 to 1000."),
        (["audit", "tail", "--limit", "x"], "A whole number from 0 to 10000."),
        (["signals", "list", "--limit", "x"], "A whole number from 1 to 10000."),
    ])
    func `a value that an option does not take is told with those that it takes`(arguments: [String], valid: String)
        async throws
    {
        let outcome = try await Program().run(arguments)
        #expect(outcome.status == 64 && outcome.isRefusal)
        #expect(
            outcome.errors.contains(
                "The value '\(arguments.last ?? "")' is invalid for '\(arguments[arguments.count - 2]) "))
        #expect(outcome.errors.contains(">': \(valid)\n"), "\(outcome.errors)")
    }

    @Test func `a time of a setting that is too short is told with the shortest`() async throws {
        let outcome = try await Program().run("doctor", environment: ["VESTIBULE_SESSION_IDLE": "0s"])
        #expect(outcome.status == 78 && outcome.isRefusal)
        #expect(outcome.errors.contains("hint: A number and s, m, h or d, such as 12h or 30d; at least 1s.\n"))
    }

    @Test(arguments: [
        (["serv"], "vestibule serve"), (["user", "list"], "vestibule users"),
        (["users", "lst"], "vestibule users list"),
        (["users", "send"], "vestibule users send-reset"), (["mail", "tail"], "vestibule mail retry"),
        (["tail", "audit"], "vestibule audit tail"), (["list", "users"], "vestibule users list"),
        (["rotate", "keys"], "vestibule keys rotate"), (["groups", "users"], "vestibule users groups"),
        (["groups", "a@example.com", "users"], "vestibule users groups"), (["user", "backup"], "vestibule users"),
    ])
    func `a mistyped command gets the nearest one as a hint`(arguments: [String], meant: String) async throws {
        let outcome = try await Program().run(arguments)
        #expect(outcome.status == 64 && outcome.isRefusal)
        #expect(outcome.errors.contains("hint: Did you mean `\(meant)`?") == (arguments != ["mail", "tail"]))
    }

    @Test(arguments: [
        ["users", "list"], ["users", "create", "a@example.com"], ["mail", "list"], ["audit", "tail"], ["backup", "x"],
        ["users", "import", "-"], ["users", "import", "-", "--dry-run"],
    ])
    func `no database is made where there is none`(arguments: [String]) async throws {
        let program = try Program()
        let outcome = try await program.run(arguments)
        #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("there is no database"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder).isEmpty)
    }

    @Test(arguments: ["data/vestibule.sqlite", "new/folder/vestibule.sqlite"])
    func `a folder of the database that cannot be made is told in the system's words`(file: String) async throws {
        let program = try Program()
        let environment = ["VESTIBULE_DATABASE_URL": "sqlite:\(file)"]
        try program.chmod(0o555, ".")
        let refused = try await program.runHeldBack("migrate", environment: environment)
        #expect(refused.status == 1 && refused.isRefusal)
        #expect(refused.errors.contains(" cannot be made: Permission denied\n"), "\(refused.errors)")
        try program.chmod(0o755, ".")
        #expect(try await program.run("migrate", environment: environment).status == 0)
    }

    @Test func `no secret key is made where there is none`() async throws {
        let program = try Program()
        _ = try await program.run("migrate")
        let outcome = try await program.run("users", "create", "ada@example.com")
        #expect(outcome.status == 78 && outcome.isRefusal && outcome.errors.contains("there is no secret key"))
        #expect(outcome.errors.contains("hint: Start the server once"))
        #expect(try await program.run("users", "list").status == 0)
        #expect(!FileManager.default.fileExists(atPath: program.folder + "/data/secret.key"))
    }

    @Test(arguments: [["list"], ["import", "-"], ["import", "-", "--dry-run"]])
    func `a database behind this version is left alone, with a hint`(arguments: [String]) async throws {
        let program = try Program()
        try FileManager.default.createDirectory(atPath: program.folder + "/data", withIntermediateDirectories: true)
        try SQLiteStore(path: program.database).close()
        for _ in 0..<2 {
            let outcome = try await program.run(["users"] + arguments)
            #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("vestibule migrate"))
        }
    }

    @Test func `create says what is wrong with an address, a name or a language`() async throws {
        let program = try Program()
        try await program.settle()
        #expect(try await program.run("users", "create", "ada@example.com").status == 0)
        for (arguments, error) in [
            (["ADA@example.com"], "has an account already"), (["ada@"], "is no email address"),
            (["bob@example.com", "--name", ""], "that name cannot be used"),
            (["bob@example.com", "--locale", "../en"], "there is no language"),
        ] {
            let outcome = try await program.run(["users", "create"] + arguments)
            #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains(error), "\(error)")
        }
        #expect(try await program.run("users", "list", "--json").objects().count == 1)
    }
}
