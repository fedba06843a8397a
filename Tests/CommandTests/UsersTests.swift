import Foundation
import TestSupport
import Testing

@testable import Essentials

/// `vestibule users …`, mostly beside a server on the same file.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct UsersTests {
    @Test func `an account is made, shown, verified, disabled, enabled and deleted while the server serves`()
        async throws
    {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        let created = try await program.run("users", "create", "Ada@example.com", "--name", "Ada L", "--json")
        let id = try #require(try created.objects().first?["id"] as? String)
        #expect(try created.objects().first?["display_name"] as? String == "Ada L")
        _ = try await program.code(for: "Ada@example.com")
        for (verb, said) in [
            ("verify", "verified Ada@example.com"), ("verify", "Ada@example.com was verified already"),
            ("disable", "disabled Ada@example.com"), ("disable", "Ada@example.com was disabled already"),
            ("enable", "enabled Ada@example.com"), ("enable", "Ada@example.com was not disabled"),
            ("send-reset", "a mail to choose a password goes out to Ada@example.com"),
        ] {
            let outcome = try await program.run("users", verb, "ada@EXAMPLE.com")
            #expect(outcome.status == 0 && outcome.output == said + "\n" && outcome.errors.isEmpty)
        }
        for (verb, field) in [("disable", "disabled_at"), ("enable", "verified_at"), ("send-reset", "created_at")] {
            #expect(try await program.run("users", verb, id, "--json").objects().first?[field] is String, "\(verb)")
        }
        let shown = try await program.run("users", "show", id).output
        for fact in ["address   Ada@example.com", "state     active", "password  no", "sessions  0", "reset_sent"] {
            #expect(shown.contains(fact), "\(fact)")
        }
        let refused = try await program.run("users", "delete", id)
        #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains("--yes"))
        #expect(try await program.run("users", "delete", id, "--yes").output == "deleted Ada@example.com\n")
        #expect(try await program.run("users", "list", "--json").output.isEmpty)
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test(arguments: [false, true])
    func `a farewell goes to an address that somebody has proved, and to no other`(isProved: Bool) async throws {
        let program = try Program()
        try await program.settle()
        #expect(try await program.run("users", "create", "ada@example.com").status == 0)
        if isProved { #expect(try await program.run("users", "verify", "ada@example.com").status == 0) }
        #expect(try await program.run("users", "delete", "ada@example.com", "--yes").status == 0)
        let mails = try await program.run("mail", "list", "--json").objects()
        #expect(mails.map { $0["kind"] as? String } == (isProved ? ["account-deleted"] : []))
    }

    @Test func `users show names the providers of an account, not who its owner is there`() async throws {
        let program = try Program()
        try await program.settle()
        try await program.populate(["ada@example.com"])
        let none = try await program.run("users", "show", "ada@example.com")
        #expect(none.output.contains("\nproviders none\n"))
        let made = 1_767_225_600_000
        for (number, provider) in ["example", "former"].enumerated() {
            try await program.change(
                """
                INSERT INTO identities (id, account_id, provider, issuer, subject, email, created_at)
                SELECT '\(number)', id, '\(provider)', 'https://id.example.com', 'person-\(number)',
                    'hidden@example.com', \(made + number * 60_000) FROM accounts
                """)
        }
        let settings = [
            "VESTIBULE_OIDC_EXAMPLE_ISSUER": "https://id.example.com", "VESTIBULE_OIDC_EXAMPLE_CLIENT_ID": "a",
            "VESTIBULE_OIDC_EXAMPLE_CLIENT_SECRET": "b", "VESTIBULE_OIDC_EXAMPLE_LABEL": "Example & Co",
        ]
        let shown = try await program.run("users", "show", "ada@example.com", environment: settings)
        let line = "\nproviders Example & Co (added 2026-01-01 00:00:00 UTC), former (added 2026-01-01 00:01:00 UTC)\n"
        #expect(shown.output.contains(line), "\(shown.output)\(shown.errors)")
        let json = try await program.run("users", "show", "ada@example.com", "--json", environment: settings)
        let providers = try #require(json.objects().first?["providers"] as? [[String: String]])
        #expect(
            providers == [
                ["provider": "example", "label": "Example & Co", "created_at": "2026-01-01T00:00:00Z"],
                ["provider": "former", "label": "former", "created_at": "2026-01-01T00:01:00Z"],
            ])
        for output in [shown.output, json.output] {
            #expect(!output.contains("person-") && !output.contains("hidden@example.com"))
        }
    }

    @Test func `a new database has no account`() async throws {
        let program = try Program()
        #expect(try await program.run("migrate").status == 0)
        let listed = try await program.run("users", "list", "--all", "--json")
        #expect(listed.status == 0 && listed.output.isEmpty)
    }

    @Test func `disabling ends sessions, and deleting says so in JSON`() async throws {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        let session = try await program.signUp("ada@example.com", at: server)
        #expect(try await server.send("/account", cookie: session).status == 200)
        #expect(try await program.run("users", "disable", "ada@example.com").status == 0)
        try await server.until(303, at: "/account", cookie: session)
        let deleted = try await program.run("users", "delete", "ada@example.com", "--yes", "--json")
        #expect(try deleted.objects().first?["deleted"] is String)
        _ = await server.end(SIGTERM)
    }

    @Test func `pages and --all show 2,500 accounts once each, while more are made`() async throws {
        let program = try Program()
        let emails = try await program.populate((0..<2500).map { "m\($0)@example.com" }).sorted()
        var seen: [String] = []
        var page = try await program.run("users", "list", "--json", "--limit", "500")
        while true {
            seen += try page.objects().compactMap { $0["email"] as? String }
            guard let next = page.errors.firstMatch(of: /^next page: --after (.*)\n$/)?.output.1 else { break }
            try await program.populate(["a\(seen.count)@example.com", "z\(seen.count)@example.com"])
            page = try await program.run("users", "list", "--json", "--limit", "500", "--after", String(next))
        }
        #expect(page.errors.isEmpty)
        #expect(seen.filter { $0.hasPrefix("m") } == emails && Set(seen).count == seen.count)
        let all = try await program.run("users", "list", "--all", "--json").objects()
        #expect(all.compactMap { $0["email"] as? String }.filter { $0.hasPrefix("m") } == emails)
        let rest = try await program.run("users", "list", "--all", "--after", "m9@example.com")
        #expect(rest.output.split(separator: "\n").dropFirst().allSatisfy { $0.contains(/\bz\d+@example\.com/) })
    }

    @Test func `a table is aligned, and what a stranger wrote cannot steer the terminal`() async throws {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        for email in ["ada@example.com", "a.much.longer.address@example.com"] {
            #expect(try await program.run("users", "create", email).status == 0)
        }
        let lines = try await program.run("users", "list").output.split(separator: "\n").map(Array.init)
        let place = try #require(String(lines[0]).range(of: "ADDRESS")).lowerBound.utf16Offset(in: String(lines[0]))
        for line in lines.dropFirst() { #expect(line[place - 1] == " " && line[place] == "a") }
        let agent = "evil\u{9B}31m\u{202E}"
        _ = try await server.send("/login", form: "email=ada%40example.com&password=x", agent: agent)
        for arguments in [["audit", "tail"], ["audit", "tail", "--json"], ["users", "show", "ada@example.com"]] {
            let output = try await program.run(arguments).output
            #expect(output.contains("evil") && !output.unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{202E}" })
        }
        _ = await server.end(SIGTERM)
    }

    @Test func `who reads only the first line is no trouble`() async throws {
        let program = try Program()
        try await program.populate((0..<2500).map { "m\($0)@example.com" })
        let line = "\(BuiltProgram.executable.path) users list --all --json | head -1; echo ${PIPESTATUS[0]}"
        let outcome = try await program.run(["-c", line], of: "/bin/bash")
        #expect(outcome.output.split(separator: "\n").last == "0" && outcome.errors.isEmpty)
    }

    @Test func `a disabled account is sent no reset`() async throws {
        let program = try Program()
        try await program.settle()
        #expect(try await program.run("users", "create", "ada@example.com").status == 0)
        #expect(try await program.run("users", "disable", "ada@example.com").status == 0)
        let before = try await program.run("mail", "list", "--json").output
        let refused = try await program.run("users", "send-reset", "ada@example.com")
        #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains("ada@example.com is disabled"))
        #expect(try await program.run("mail", "list", "--json").output == before)
    }
}
