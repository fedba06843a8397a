import Foundation
import Testing

@testable import Essentials

@Suite(.timeLimit(.minutes(15)))
struct UsersImportTests {
    private let ada = #"{"address":"ada@example.com","name":"Ada","verified":true,"hash":"\#(Self.hash)"}"#
    private let bob = #"{"address":"bob@example.com"}"#
    /// Of `correct horse battery`.
    private static let hash = "$2b$05$9GcCDHd5fzNoVoGXzYUWcOrOAnGbdi6CcC/CCp6EXuwCND3Qvg0AW"

    private func program(_ lines: String...) async throws -> Program {
        let program = try Program()
        _ = try await program.run("migrate")
        let text = lines.joined(separator: "\n") + "\n"
        try text.write(toFile: program.folder + "/users.jsonl", atomically: true, encoding: .utf8)
        return program
    }

    private func run(_ program: Program, _ options: String...) async throws -> Program.Outcome {
        try await program.run(["users", "import", "users.jsonl"] + options)
    }

    @Test func `an import is told in one line, and those imported can log in`() async throws {
        let program = try await program(ada, bob)
        let outcome = try await run(program)
        #expect(outcome.status == 0 && outcome.output == "2 imported, 0 refused, 2 lines\n")
        let server = try await Server(program)
        let form = "email=ada%40example.com&password=correct+horse+battery"
        #expect(try await server.send("/login", form: form).status == 303)
        _ = await server.end(SIGTERM)
        let again = try await run(program)
        #expect(again.status == 1 && again.errors.contains("line 1: there is an account of this address already\n"))
        let events = try await program.run("audit", "tail", "--json").objects()
        #expect(events.count { $0["kind"] as? String == "accounts_imported" } == 1)
    }

    @Test func `refused lines are named with number and reason, and nothing is imported`() async throws {
        let program = try await program(ada, "", "{", ada, #"{"address":"eve@example.com","hash":"md5"}"#, bob)
        let outcome = try await run(program)
        #expect(outcome.status == 1 && outcome.output == "0 imported, 3 refused, 5 lines\n")
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "line 3: not a JSON object", "line 4: the same address as line 1",
                "line 5: hash is not taken: its form is not known (docs/operating/importing.md lists the known ones); "
                    + "leave hash out, and the owner sets a password with \"Forgot password?\"",
                "vestibule: error: 3 of 5 lines were refused; nothing was imported",
                "hint: Mend the lines named above, or import the others with --skip-refused.",
            ]
        )
        let skipping = try await run(program, "--skip-refused", "--json")
        #expect(skipping.status == 0)
        #expect(
            skipping.output == #"{"dry_run":false,"imported":2,"lines":5,"refused":3,"unverified":0,"#
                + #""unverified_factors":0,"without_hash":1}"# + "\n")
    }

    private let app = #""totp":"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ","recovery_codes":["4f8a-91c0","77d2-03be"]"#
    private func withApp(_ line: String) -> String { line.dropLast() + "," + app + "}" }
    private let otherKey = ["VESTIBULE_SECRET_KEY": Data(repeating: 1, count: 32).base64EncodedString()]

    @Test func `an imported app stays when the operator vouches for the mailbox`() async throws {
        let unproved = withApp(ada.replacing("\"verified\":true,", with: ""))
        let program = try await program(unproved, withApp(bob))
        try await program.settle()
        let outcome = try await run(program)
        let note = """
            2 with a second factor and without "verified": true: "Forgot password?" removes it, `vestibule users \
            verify ADDRESS` keeps it

            """
        #expect(outcome.status == 0 && outcome.errors.contains(note), "\(outcome.errors)")
        #expect(try await program.run("users", "verify", "ada@example.com").output == "verified ada@example.com\n")
        let shown = try await program.run("users", "show", "ada@example.com").output
        #expect(shown.contains("passkeys 0, app yes, codes 2\n"), "\(shown)")
        let server = try await Server(program)
        let login = try await server.send(
            "/login", form: "email=ada%40example.com&password=correct+horse+battery")
        #expect(login.status == 303 && login.head.contains("/login/second\r\n"), "\(login.head)")
        _ = await server.end(SIGTERM)
    }

    @Test func `second factors are sealed with the key of the database and no other`() async throws {
        let program = try await program(withApp(ada), bob)
        try await program.settle()
        #expect(try await program.run("keys", "rotate").status == 0)
        func lines(sealed what: String) -> [String] {
            let reason =
                "has a second factor, and 1 of the \(what) in the database cannot be opened with the secret key: run "
                + "this with the server's VESTIBULE_SECRET_KEY (`vestibule doctor` tells more)"
            return ["line 1: \(reason)", "vestibule: error: 1 of 2 lines were refused; nothing was imported"]
        }
        func said(_ outcome: Program.Outcome) -> [String] {
            outcome.errors.split(separator: "\n").prefix(2).map(String.init)
        }
        for options in [[], ["--dry-run"]] {
            let refused = try await program.run(["users", "import", "users.jsonl"] + options, environment: otherKey)
            #expect(refused.status == 1 && said(refused) == lines(sealed: "keys that sign for applications"))
        }
        #expect(try await program.run("users", "list", "--json").output.isEmpty)
        let key = try String(contentsOfFile: program.folder + "/data/secret.key", encoding: .utf8).dropLast()
        let both = otherKey.merging(["VESTIBULE_SECRET_KEY_PREVIOUS": String(key)]) { $1 }
        #expect(try await program.run("users", "import", "users.jsonl", environment: both).status == 0)
        // The app is sealed with the other one now, and nothing else is.
        try await program.change("DELETE FROM signing_keys")
        try await program.change("DELETE FROM factor_keys WHERE kind = 'recovery_code'")
        let eve = #"{"address":"eve@example.com"}"#
        try program.write("\(withApp(eve))\n\(eve.replacing("eve", with: "e"))\n", to: "more.jsonl")
        let refused = try await program.run("users", "import", "more.jsonl")
        #expect(said(refused) == lines(sealed: "authenticator apps and recovery codes"), "\(refused.errors)")
        try program.write(eve, to: "more.jsonl")
        #expect(try await program.run("users", "import", "more.jsonl").status == 0)
    }

    @Test func `a secret key that is there and cannot be used is not said to be absent`() async throws {
        let program = try await program(withApp(ada), bob)
        try await program.settle()
        try program.chmod(0, "data/secret.key")
        let closed = try await program.runHeldBack("users", "import", "users.jsonl")
        let mayNot = "line 1: has a second factor, and data/secret.key cannot be read: this user may not. Run this as"
        #expect(closed.status == 1 && closed.errors.hasPrefix(mayNot), "\(closed.errors)")
        try program.chmod(0o600, "data/secret.key")
        try program.write("damaged\n", to: "data/secret.key")
        let damaged = try await run(program)
        let reason = "line 1: has a second factor, and data/secret.key is not 32 bytes of base64. Restore the file"
        #expect(damaged.status == 1 && damaged.errors.hasPrefix(reason), "\(damaged.errors)")
        let skipping = try await run(program, "--skip-refused")
        #expect(skipping.output == "1 imported, 1 refused, 2 lines\n")
    }

    @Test func `it says how many have a hash and cannot sign in, and how many have none`() async throws {
        let eve = ada.replacing("ada@", with: "eve@").replacing("\"verified\":true,", with: "")
        let program = try await program(ada, bob, eve, "{", eve)
        let notes = """
            1 without "verified": true: cannot sign in until `vestibule users verify ADDRESS`, or until "Forgot password?" \
            sets a new password
            1 without a hash: their owners set a password with "Forgot password?"

            """
        let dry = try await run(program, "--dry-run", "--skip-refused")
        #expect(dry.output == "3 would be imported, 2 refused, 5 lines\n" && dry.errors.hasSuffix("\n" + notes))
        let outcome = try await run(program, "--skip-refused")
        #expect(outcome.output == "3 imported, 2 refused, 5 lines\n" && outcome.errors.hasSuffix("\n" + notes))
        let server = try await Server(program)
        let form = "email=eve%40example.com&password=correct+horse+battery"
        #expect(try await server.send("/login", form: form).status == 422)
        _ = await server.end(SIGTERM)
    }

    @Test func `where no mailbox has to be proved, it says nothing of that`() async throws {
        let program = try await program(ada.replacing("\"verified\":true,", with: ""))
        let outcome = try await program.run(
            "users", "import", "users.jsonl", environment: ["VESTIBULE_VERIFICATION": "off"])
        #expect(outcome.status == 0 && !outcome.errors.contains("verified"))
    }

    @Test func `a key of the file cannot steer the terminal`() async throws {
        let program = try await program(#"{"\u001b[2J\n":1}"#, #"{"\u009b2J":1}"#, "{\"a\u{202E}b\u{9B}\":1}")
        let lines = try await run(program).errors.split(separator: "\n").prefix(3)
        #expect(
            lines == [
                "line 1: unknown key \"\u{FFFD}[2J\u{FFFD}\"", "line 2: unknown key \"\u{FFFD}2J\"",
                "line 3: unknown key \"a\u{FFFD}b\u{FFFD}\"",
            ]
        )
    }

    @Test func `a dry run changes nothing`() async throws {
        let program = try await program(ada, bob)
        let dry = try await run(program, "--dry-run", "--json")
        #expect(dry.status == 0)
        #expect(
            dry.output == #"{"dry_run":true,"imported":0,"lines":2,"refused":0,"unverified":0,"#
                + #""unverified_factors":0,"without_hash":1}"# + "\n"
        )
        #expect(try await run(program, "--dry-run").output == "2 would be imported, 0 refused, 2 lines\n")
        #expect(try await program.run("audit", "tail", "--json").objects().isEmpty)
        #expect(try await run(program).output.hasPrefix("2 imported"))
    }

    @Test func `a dry run counts those that would be imported`() async throws {
        let program = try await program(ada, "{", bob)
        let refused = try await run(program, "--dry-run")
        #expect(refused.status == 1 && refused.output == "0 would be imported, 1 refused, 3 lines\n")
        let skipping = try await run(program, "--dry-run", "--skip-refused")
        #expect(skipping.status == 0 && skipping.output == "2 would be imported, 1 refused, 3 lines\n")
    }

    @Test func `standard input is read too, and a file that is not there is exit 1`() async throws {
        let program = try await program(ada)
        let (process, output, _) = program.prepare(["users", "import", "-"], [:])
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: program.folder + "/users.jsonl"))
        let status = try await process.start().first { _ in true }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(status == 0 && text == "1 imported, 0 refused, 1 line\n")
        for (file, error) in [
            ("nowhere.jsonl", "nowhere.jsonl cannot be read"), ("data", "data is a folder"), (".", ". is a folder"),
            ("/proc/self/mem", "/proc/self/mem cannot be read to its end: "), ("", "the name of the file is empty"),
            ("/dev/zero", "/dev/zero is a device"), ("/dev/full", "/dev/full is a device"),
        ] {
            let outcome = try await program.run("users", "import", file)
            #expect(outcome.status == 1 && outcome.isRefusal, "\(file)")
            #expect(outcome.errors.hasPrefix("vestibule: error: \(error)"), "\(outcome.errors)")
        }
    }

    @Test func `the options of a Firebase project go together`() async throws {
        let program = try await program(
            #"{"address":"ada@example.com","hash":"$fbscrypt$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SA"#
                + #"yZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="}"#
        )
        let key = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
        let without = try await run(program)
        #expect(without.status == 1)
        #expect(without.errors.contains("line 1: hash is of a Firebase project whose parameters were not given\n"))
        try program.write(key + "\n", to: "signer.key")
        #expect(try await run(program, "--firebase-signer-key-file", "signer.key").status == 64)
        let others = ["--firebase-salt-separator", "Bw==", "--firebase-rounds", "8", "--firebase-memory-cost", "14"]
        let inSight = try await program.run(
            ["users", "import", "users.jsonl", "--firebase-signer-key", key] + others)
        #expect(inSight.status == 64 && inSight.isRefusal && inSight.errors.contains("--firebase-signer-key-file"))
        #expect(!inSight.errors.contains(key))
        #expect(try await run(program, "--help").output.contains("--firebase-signer-key-file"))
        let with = try await run(
            program, "--firebase-signer-key-file", "signer.key", "--firebase-salt-separator", "Bw==",
            "--firebase-rounds", "8",
            "--firebase-memory-cost", "14"
        )
        #expect(with.output == "1 imported, 0 refused, 1 line\n")
    }

    @Test func `a language that is not there is refused`() async throws {
        let program = try await program(ada)
        let outcome = try await run(program, "--locale", "../locales/en")
        #expect(outcome.status == 1 && outcome.errors.contains("there is no language ../locales/en"))
        #expect(try await run(program, "--locale", "de").status == 0)
    }
}
