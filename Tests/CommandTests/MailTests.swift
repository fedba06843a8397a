import Foundation
import Testing

@testable import Essentials

@Suite(.timeLimit(.minutes(15)), .serialized)
struct MailTests {
    /// A mail server nobody runs.
    private static let nowhere = Program.easy.merging(["VESTIBULE_MAIL_URL": "smtp://127.0.0.1:1"]) { $1 }

    private func listed(_ program: Program) async throws -> [[String: Any]] {
        try await program.run("mail", "list", "--json").objects()
    }

    @Test func `a mail that cannot leave is listed with its reason, and leaves when it is tried again`() async throws {
        let program = try Program()
        let server = try await Server(program, environment: Self.nowhere)
        #expect(try await program.run("users", "create", "ada@example.com").status == 0)
        let deadline = Date() + 120
        // The server tries when it looks next; the deadline ends the wait.
        while try await listed(program).first?["reason"] == nil, Date() < deadline {}
        let mail = try #require(try await listed(program).first)
        #expect(mail["kind"] as? String == "invitation" && mail["recipient"] as? String == "a•••@example.com")
        #expect(mail["state"] as? String != "failed" && (mail["attempts"] as? Int ?? 0) > 0)
        _ = await server.end(SIGTERM)
        let id = try #require(mail["id"] as? String)
        let list = try await program.run("mail", "list")
        #expect(list.output.contains(id) && list.output.contains("invitation"))
        let json = try await program.run("mail", "list", "--json")
        #expect(try await program.run("mail", "retry", id).output == "1 mail is due now\n")
        #expect(try await listed(program).first?["attempts"] as? Int == 0)
        let well = try await Server(program, environment: Program.easy)
        let code = try await program.code(for: "ada@example.com")
        #expect(code.count == 6)
        // The subject holds it, which neither listing shows.
        #expect(program.mails(to: "ada@example.com").joined().contains("Subject: \(code) is your Vestibule code"))
        #expect(![list, json].contains { $0.output.contains(code) || $0.errors.contains(code) })
        _ = await well.end(SIGTERM)
        #expect(try await listed(program).isEmpty)
        let gone = try await program.run("mail", "retry", id)
        #expect(gone.status == 1 && gone.isRefusal && gone.errors.contains("there is no mail"))
    }

    @Test func `doctor warns of mails that failed for good, with the last reason`() async throws {
        let program = try Program()
        try await program.populate(["ada@example.com", "bob@example.com"])
        try await program.settle()
        #expect(try await !program.run("doctor").output.contains("failed mails"))
        let fail = """
            import sqlite3
            d = sqlite3.connect('data/vestibule.sqlite')
            d.execute("UPDATE outbox SET created_at = rowid * 1000, due_at = NULL, leased_by = NULL, failure = 'r' || rowid")
            d.commit()
            """
        #expect(try await program.run(["-c", fail], of: "/usr/bin/python3").status == 0)
        let said = try await program.run("doctor").output
        #expect(
            said.contains(
                "warn failed mails: 2, the last written at 1970-01-01 00:00:02 UTC: r2; see `vestibule mail list`"),
            "\(said)")
    }

    @Test func `mails come page by page, and those nobody can open are told apart`() async throws {
        let program = try Program()
        try await program.settle()
        try await program.populate((0..<5).map { "m\($0)@example.com" })
        var seen: [String] = []
        var page = try await program.run("mail", "list", "--json", "--limit", "2")
        while true {
            seen += try page.objects().compactMap { $0["id"] as? String }
            guard let next = page.errors.firstMatch(of: /^next page: --after (.*)\n$/)?.output.1 else { break }
            page = try await program.run("mail", "list", "--json", "--limit", "2", "--after", String(next))
        }
        #expect(seen.count == 5 && Set(seen).count == 5)
        #expect(try await program.run("mail", "list").output.contains("unreadable"))
        let refused = try await program.run("mail", "retry", seen[0])
        #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains("VESTIBULE_SECRET_KEY_PREVIOUS"))
        let failed = try await program.run("mail", "retry", "--failed", "--json").objects()
        #expect(failed.first?["due"] as? Int == 0)
    }

    @Test func `mails to one address are listed, however it is written`() async throws {
        let program = try Program()
        try await program.settle()
        try await program.populate(["ada@example.com"])
        for email in ["bob@example.com", "eve@example.com"] {
            #expect(try await program.run("users", "create", email).status == 0)
        }
        let mails = try await program.run("mail", "list", "--json", "--to", "Eve@example.com")
        #expect(try mails.objects().map { $0["recipient"] as? String } == ["e•••@example.com"])
        let none = try await program.run("mail", "list", "--to", "nobody@example.com")
        #expect(
            none.status == 0
                && none.errors == """
                    no mail that can be opened is to nobody@example.com
                    1 of the newest 100 mails cannot be opened with the secret key, and may be to nobody@example.com: see `vestibule doctor`

                    """,
            "\(none.errors)")
        let told = try await program.run("doctor").output
        #expect(
            told.contains(
                "FAIL waiting mails: 1 of them cannot be opened with the secret key: put the former key into "
                    + "VESTIBULE_SECRET_KEY_PREVIOUS; if that key is lost, "), "\(told)")
        try await program.change("DELETE FROM outbox WHERE length(sealed) = 1")
        let readable = try await program.run("mail", "list", "--to", "nobody@example.com")
        #expect(readable.errors == "no mail to nobody@example.com waits or has failed\n", "\(readable.errors)")
        #expect(try await program.run("mail", "list", "--to", "bob").status == 64)
    }

    @Test func `a mail whose code has expired is not sent again`() async throws {
        let program = try Program()
        try await program.settle()
        #expect(try await program.run("users", "create", "ada@example.com").status == 0)
        let id = try #require(try await listed(program).first?["id"] as? String)
        try await program.change("UPDATE outbox SET created_at = 1000, due_at = NULL, failure = 'refused'")
        let refused = try await program.run("mail", "retry", id)
        #expect(refused.status == 1 && refused.isRefusal)
        #expect(refused.errors.contains("what mail \(id) offers has expired"))
        let failed = try await program.run("mail", "retry", "--failed")
        #expect(failed.output == "0 mails are due now; 1 of no use any more\n")
        #expect(try await listed(program).first?["state"] as? String == "failed")
    }

    @Test func `a mail that is being sent is not made due a second time`() async throws {
        let program = try Program()
        try await program.settle()
        #expect(try await program.run("users", "create", "ada@example.com").status == 0)
        let id = try #require(try await listed(program).first?["id"] as? String)
        let soon = Int(Date().timeIntervalSince1970 + 60) * 1000
        try await program.change("UPDATE outbox SET due_at = \(soon), attempts = 1, leased_by = 'another'")
        let refused = try await program.run("mail", "retry", id)
        #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains("mail \(id) is being sent"))
        #expect(try await listed(program).first?["state"] as? String == "sending")
    }

    @Test func `mails that wait for their next try are hastened together, and with the failed ones`() async throws {
        let program = try Program()
        try await program.settle()
        for name in ["ada", "bob"] {
            #expect(try await program.run("users", "create", "\(name)@example.com").status == 0)
        }
        let later = Int(Date().timeIntervalSince1970 + 3600) * 1000
        try await program.change("UPDATE outbox SET due_at = \(later), attempts = 7, failure = 'no answer'")
        let none = try await program.run("mail", "retry", "--failed")
        #expect(none.output == "0 mails are due now\n")
        #expect(none.errors == "mails that wait for their next try have not failed: --all makes them due, too\n")
        try await program.change("UPDATE outbox SET due_at = NULL WHERE rowid = (SELECT min(rowid) FROM outbox)")
        #expect(try await program.run("mail", "retry", "--all").output == "2 mails are due now\n")
        let mails = try await listed(program)
        #expect(mails.allSatisfy { $0["attempts"] as? Int == 0 && $0["state"] as? String == "waiting" }, "\(mails)")
        #expect(mails.compactMap { $0["next_try_at"] as? String }.allSatisfy { $0 < (Date() + 60).ISO8601Format() })
        #expect(try await program.run("mail", "retry", "--all", "--failed").status == 64)
    }
}
