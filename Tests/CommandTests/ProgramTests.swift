import Foundation
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct ProgramTests {
    @Test(arguments: [
        (["VESTIBULE_PORT": "http"], "VESTIBULE_PORT"), (["VESTIBULE_PROT": "1"], "VESTIBULE_PROT"),
        (["VESTIBULE_PUBLIC_URL": "https://login.example.com"], "VESTIBULE_PUBLIC_URL"),
    ])
    func `a bad setting stops the start with its name and a hint`(environment: [String: String], name: String)
        async throws
    {
        let outcome = try await Program().run("serve", environment: environment)
        #expect(outcome.status == 78)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("vestibule: error: \(name) ") == true)
        #expect(lines.last?.hasPrefix("hint: ") == true)
    }

    @Test func `each of several bad settings has a line and a hint`() async throws {
        let outcome = try await Program().run("serve", environment: ["VESTIBULE_MODE": "production"])
        #expect(outcome.status == 78)
        let lines = outcome.errors.split(separator: "\n")
        let names = ["PUBLIC_URL", "MAIL_URL", "MAIL_FROM", "SECRET_KEY"]
        #expect(lines.count == 2 * names.count && lines.count { $0.hasPrefix("hint: ") } == names.count)
        for name in names {
            #expect(lines.contains("vestibule: error: VESTIBULE_\(name) is not set, which production mode requires"))
        }
    }

    @Test func `an unknown name in the .env file stops it too`() async throws {
        let program = try Program()
        try "VESTIBULE_SINGUP=closed\n".write(toFile: program.folder + "/.env", atomically: true, encoding: .utf8)
        let outcome = try await program.run("migrate")
        #expect(outcome.status == 78 && outcome.errors.contains("VESTIBULE_SIGNUP"))
    }

    @Test(arguments: [
        ("VESTIBLUE_SIGNUP", "VESTIBULE_SIGNUP"), ("VESTIBULESIGNUP", "VESTIBULE_SIGNUP"),
        ("VESTIBUL_MODE", "VESTIBULE_MODE"), ("vestibul_mode", "VESTIBULE_MODE"),
        ("VESTBULE_OIDC_ACME_ISUER", "VESTIBULE_OIDC_ACME_ISSUER"),
    ])
    func `a slip in the first letters of a name stops it in the .env file, and is not ours in the environment`(
        name: String, meant: String
    ) async throws {
        let program = try Program()
        #expect(try await program.run("migrate", environment: [name: "x"]).status == 0)
        let others = "POSTGRES_PASSWORD=x\nV_PORT=1\nVESTRY_MODE=x\nVESTIBULEDB_PASSWORD=x\n"
        try program.write("\(others)\(name)=x\n", to: ".env")
        let outcome = try await program.run("migrate")
        let said = "vestibule: error: \(name) is not a setting\nhint: Did you mean \(meant)?\n"
        #expect(outcome.status == 78 && outcome.errors == said, "\(outcome.errors)")
    }

    @Test(arguments: [
        ("VESTIBULE_BRAND", "Did you mean VESTIBULE_BRAND_NAME?"), ("VESTIBULE_PROT", "Did you mean VESTIBULE_PORT?"),
        ("VESTIBULE_SESSION", "Did you mean VESTIBULE_SESSION_IDLE?"),
        ("VESTIBULE_PORT_HTTP", "Did you mean VESTIBULE_PORT?"),
        ("VESTIBULE_OIDC_ACME_CLIENT", "Did you mean VESTIBULE_OIDC_ACME_CLIENT_ID?"),
        ("VESTIBULE_COFFEE_MACHINE_WARM", "`vestibule doctor --settings` lists them all."),
        ("VESTIBULE_DATA_DIR", "`vestibule doctor --settings` lists them all."),
    ])
    func `an unknown setting gets the one that begins so as a hint, else the nearest, else none`(
        name: String, hint: String
    ) async throws {
        let outcome = try await Program().run("doctor", environment: [name: "x"])
        #expect(outcome.status == 78 && outcome.errors.contains("hint: \(hint)\n"))
    }

    @Test func `bad usage is exit 64, help is exit 0`() async throws {
        #expect(try await Program().run("serve", "--nonsense").status == 64)
        #expect(try await Program().run("nonsense").status == 64)
        let help = try await Program().run("--help")
        #expect(help.status == 0)
        for command in ["serve", "migrate", "doctor"] { #expect(help.output.contains(command)) }
    }

    @Test func `migrate brings the database up to date, once`() async throws {
        let program = try Program()
        #expect(try await program.run("migrate").output == "6 migrations applied\n")
        #expect(try await program.run("migrate").output == "up to date\n")
    }

    @Test(arguments: ["migrate", "serve"])
    func `a database of a newer version is left alone, and the hint says what to do`(command: String) async throws {
        let program = try Program()
        _ = try await program.run("migrate")
        let insert = "INSERT INTO grdb_migrations (identifier) VALUES ('999 the future')"
        let file = "data/vestibule.sqlite"
        let script = "import sqlite3; d = sqlite3.connect('\(file)'); d.execute(\"\(insert)\"); d.commit()"
        #expect(try await program.run(["-c", script], of: "/usr/bin/python3").status == 0)
        let outcome = try await program.run(command)
        #expect(outcome.status == 1 && outcome.errors.contains("newer version"))
        #expect(outcome.errors.contains("Use that version"))
    }

    @Test func `a database that cannot be opened is exit 1`() async throws {
        let environment = ["VESTIBULE_DATABASE_URL": "sqlite:/proc/nowhere/vestibule.sqlite"]
        let outcome = try await Program().run("migrate", environment: environment)
        #expect(outcome.status == 1 && outcome.errors.hasPrefix("vestibule: error: "))
    }

    @Test func `doctor says what is well and what is not`() async throws {
        let program = try Program()
        #expect(try await program.run("doctor").output.contains("ok   store (no file yet"))
        _ = try await program.run("migrate")
        let well = try await program.run("doctor")
        #expect(well.status == 0)
        for check in ["settings", "store", "codes (0 wrong ones", "mail transport", "hashing (", "clock", "file modes"]
        {
            #expect(well.output.contains("ok   \(check)"), "\(check)")
        }
        let file = program.folder + "/data/vestibule.sqlite"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let ill = try await program.run("doctor", environment: ["VESTIBULE_MAIL_URL": "smtp://127.0.0.1:1"])
        #expect(ill.status == 1)
        #expect(ill.output.contains("FAIL mail transport") && ill.output.contains("FAIL file modes"))
    }

    @Test func `doctor says that production names no proxy`() async throws {
        var environment = [
            "VESTIBULE_MODE": "production", "VESTIBULE_PUBLIC_URL": "https://login.example.com",
            "VESTIBULE_MAIL_URL": "smtp://127.0.0.1:1", "VESTIBULE_MAIL_FROM": "no-reply@example.com",
            "VESTIBULE_SECRET_KEY": "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
        ]
        let remark = "warn proxies: VESTIBULE_TRUSTED_PROXIES is not set"
        let alone = try await Program().run("doctor", environment: environment).output
        #expect(alone.contains(remark) && alone.contains(": name the proxy's address as the server sees it\n"))
        #expect(alone.contains("nothing listens at this host and port: see host and port in VESTIBULE_MAIL_URL"))
        environment["VESTIBULE_TRUSTED_PROXIES"] = "127.0.0.1"
        #expect(try await !Program().run("doctor", environment: environment).output.contains("warn proxies"))
    }

    @Test func `doctor says what applications take for proved that is not`() async throws {
        var environment = ["VESTIBULE_APP_NOTES_ORIGINS": "http://notes.localhost", "VESTIBULE_VERIFICATION": "off"]
        let off = try await Program().run("doctor", environment: environment).output
        #expect(off.contains("warn applications: VESTIBULE_VERIFICATION is off"), "\(off)")
        environment["VESTIBULE_VERIFICATION"] = nil
        #expect(try await !Program().run("doctor", environment: environment).output.contains("VERIFICATION"))
    }

    @Test func `doctor says that every address is a proxy`() async throws {
        let environment = ["VESTIBULE_TRUSTED_PROXIES": "10.0.0.0/8, 0.0.0.0/0"]
        let output = try await Program().run("doctor", environment: environment).output
        #expect(output.contains("warn proxies: VESTIBULE_TRUSTED_PROXIES has every address"), "\(output)")
    }

    @Test func `doctor tells the speed of the kernel from that of libargon2`() async throws {
        let output = try await Program().run("doctor").output
        let isFast = !Argon2Kernel.runningHere.isEmpty
        let line = isFast ? #/hashing \(avx\d+ \d+\.\d ms a hash, libargon2 \d+\.\d ms\)/# : #/hashing \(libargon2 /#
        #expect(output.contains(line), "\(output)")
        let lanes = try await Program().run("doctor", environment: ["VESTIBULE_ARGON2_PARALLELISM": "2"]).output
        #expect(lanes.contains(/hashing \(libargon2 \d+\.\d ms a hash\)/), "\(lanes)")
    }

    @Test func `doctor proposes settings that serve takes`() async throws {
        let proposal = try await Program().run("doctor", "--tune", "40ms")
        #expect(proposal.status == 0)
        #expect(proposal.errors.contains("One hash takes "))
        #expect(proposal.output.contains(/VESTIBULE_ARGON2_MEMORY_KIB=\d{5,}\n/))
        let lines = proposal.output.split(separator: "\n").map { $0.split(separator: "=").map(String.init) }
        let proposed = Dictionary(lines.map { ($0[0], $0[1]) }) { $1 }
        let program = try Program()
        #expect(proposed.count == 3)
        #expect(try await program.run("doctor", environment: proposed).output.contains("ok   settings"))
        for wrong in ["40", "0ms", "10001ms", "-1ms", "ms"] {
            #expect(try await program.run("doctor", "--tune", wrong).status == 64, "\(wrong)")
        }
    }

    @Test func `doctor looks at the settings behind a link, which root may keep for the server's group`() async throws {
        let program = try Program()
        try program.write("VESTIBULE_BRAND_NAME=Fir\n", to: "etc/vestibule.env")
        let file = program.folder + "/etc/vestibule.env"
        try FileManager.default.createSymbolicLink(atPath: program.folder + "/.env", withDestinationPath: file)
        for (mode, isWell) in [(0o600, true), (0o640, geteuid() == 0), (0o660, false), (0o604, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            let outcome = try await program.run("doctor")
            #expect((outcome.status == 0) == isWell, "\(String(mode, radix: 8)): \(outcome.output)")
        }
    }

    @Test func `a link to settings that are missing stops every command`() async throws {
        let program = try Program()
        try FileManager.default.createSymbolicLink(atPath: program.folder + "/.env", withDestinationPath: "etc/gone")
        for command in ["serve", "doctor", "migrate"] {
            let outcome = try await program.run(command)
            #expect(outcome.status == 78 && outcome.errors.contains(".env is a link that leads to no file"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder) == [".env"])
    }

    @Test func `doctor finds the template that would stop the server`() async throws {
        let program = try Program()
        #expect(try await program.run("doctor").output.contains("ok   templates and public files"))
        for (name, file) in [("terms", "terms.mustache"), ("mail/signup-code.txt", "mail/signup-code.txt.mustache")] {
            let program = try Program()
            try program.write("<p>{{#oops}}</p>\n", to: "Templates/\(file)")
            let ill = try await program.run("doctor")
            #expect(ill.status == 1 && ill.output.contains("FAIL templates and public files: template \(name), line "))
            let stopped = try await program.run("serve")
            #expect(stopped.status == 1 && stopped.errors.contains("template \(name), line "))
        }
        try program.write("{", to: "Templates/locales/fr.json")
        #expect(try await program.run("doctor").output.contains("locales/fr.json is not JSON"))
    }

    @Test func `doctor finds waiting mails that the key does not open`() async throws {
        let program = try Program()
        try await program.settle()
        #expect(try await program.run("doctor").status == 0)
        try await program.populate(["ada@example.com"])
        let ill = try await program.run("doctor")
        #expect(
            ill.status == 1 && ill.output.contains("FAIL waiting mails: 1 of them cannot be opened with the secret key")
        )
    }

    @Test(arguments: [
        ("no-reply@localhost", "FAIL sender: VESTIBULE_MAIL_FROM is no-reply@localhost"),
        ("a@b.example", "ok   sender"),
    ])
    func `doctor finds a sender that other servers refuse, in production`(sender: String, line: String) async throws {
        let outcome = try await Program().run(
            "doctor",
            environment: [
                "VESTIBULE_MODE": "production", "VESTIBULE_PUBLIC_URL": "https://a.example",
                "VESTIBULE_SECRET_KEY": Data(repeating: 7, count: 32).base64EncodedString(),
                "VESTIBULE_MAIL_URL": "smtp://127.0.0.1:1", "VESTIBULE_MAIL_FROM": sender,
            ])
        #expect(outcome.output.contains(line))
    }

    @Test func `doctor prints the client address it would believe`() async throws {
        let environment = ["VESTIBULE_TRUSTED_PROXIES": "10.0.0.0/8"]
        let header = "X-Forwarded-For: 203.0.113.7, 10.0.0.9"
        let trusted = try await Program().run(
            "doctor", "--peer", "10.0.0.1", "--header", header, environment: environment
        )
        let untrusted = try await Program().run(
            "doctor", "--peer", "192.0.2.1", "--header", header, environment: environment
        )
        #expect(trusted.output == "203.0.113.7\n" && untrusted.output == "192.0.2.1\n")
    }

    @Test(arguments: [
        "X-Forwarded-For: 6.6.6.6:\u{D4E}, 203.0.113.7", "X-Forwarded-For: [2001:db8::1]\u{D4E}, 203.0.113.7",
        "Forwarded: for=6.6.6.6;x=\u{D4E}, for=203.0.113.7",
    ])
    func `doctor shows that no letter makes a visitor's word the proxy's`(header: String) async throws {
        let environment = ["VESTIBULE_TRUSTED_PROXIES": "127.0.0.1"]
        let found = try await Program().run(
            "doctor", "--peer", "127.0.0.1", "--header", header, environment: environment)
        #expect(found.output == "203.0.113.7\n")
    }

    @Test func `doctor lists every setting`() async throws {
        let outcome = try await Program().run("doctor", "--settings")
        #expect(outcome.output.contains("VESTIBULE_LIMIT_LOGIN=30/m/ip, 200/h/ip, 10/15m/address, 10/15m/device"))
    }
}
