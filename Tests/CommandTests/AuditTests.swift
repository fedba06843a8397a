import Foundation
import Testing

@testable import Essentials

@Suite(.timeLimit(.minutes(15)), .serialized)
struct AuditTests {
    @Test func `the last events are told, of all accounts or of one`() async throws {
        let program = try Program()
        try await program.populate(["ada@example.com", "bob@example.com"])
        try await program.settle()
        #expect(try await program.run("users", "disable", "ada@example.com").status == 0)
        let all = try await program.run("audit", "tail", "--json", "--limit", "2").objects()
        #expect(all.map { $0["kind"] as? String } == ["account_invited", "account_disabled"])
        #expect(all.map { $0["email"] as? String } == ["bob@example.com", "ada@example.com"])
        #expect(all.last?["user_agent"] as? String == "vestibule command")
        let one = try await program.run("audit", "tail", "--account", "bob@example.com").output
        #expect(one.contains("bob@example.com") && !one.contains("ada@example.com"))
        let invited = try await program.run("audit", "tail", "--json", "--kind", "account_invited").objects()
        #expect(invited.map { $0["email"] as? String } == ["ada@example.com", "bob@example.com"])
        let none = try await program.run("audit", "tail", "--kind", "login_failed")
        #expect(none.status == 0 && none.errors == "no such event of the kind login_failed is kept\n")
    }

    @Test(arguments: [
        ("logn_failed", "did you mean login_failed?"),
        ("password", "did you mean password_reset?"),
        ("zzzzzzzzzzzzzzz", "one of account_deleted, account_disabled, "),
    ])
    func `a kind that does not exist is refused, and those that are meant are named`(
        kind: String, meant: String
    ) async throws {
        let refused = try await Program().run("audit", "tail", "--follow", "--kind", kind)
        #expect(refused.status == 64 && refused.isRefusal && refused.output.isEmpty)
        let line = "vestibule: error: there is no kind of event \"\(kind)\": \(meant)"
        #expect(refused.errors.hasPrefix(line), "\(refused.errors)")
    }

    @Test func `following ends when nobody reads any more, although nothing happens`() async throws {
        let program = try Program()
        try await program.populate(["ada@example.com"])
        try await program.settle()
        let (process, output, _) = program.prepare(["audit", "tail", "--follow"], [:])
        let exits = try process.start()
        defer { if process.isRunning { process.terminate() } }
        let reader = output.fileHandleForReading
        #expect(try reader.read(upToCount: 4) == Data("TIME".utf8))
        try reader.close()
        #expect(await exits.first { _ in true } == 0)
    }

    @Test func `following goes on when the database is back`() async throws {
        let program = try Program()
        try await program.populate(["ada@example.com"])
        try await program.settle()
        let (process, output, errors) = program.prepare(["audit", "tail", "--follow", "--json"], [:])
        let exits = try process.start()
        defer { if process.isRunning { process.terminate() } }
        var events = Server.lines(of: output).makeAsyncIterator()
        #expect(await events.next()?.contains("account_invited") == true)
        let (file, away) = ("\(program.folder)/data/vestibule.sqlite", "\(program.folder)/away")
        try FileManager.default.moveItem(atPath: file, toPath: away)
        var notes = Server.lines(of: errors).makeAsyncIterator()
        #expect(await notes.next()?.contains("the database cannot be read; still trying: ") == true)
        try FileManager.default.moveItem(atPath: away, toPath: file)
        #expect(try await program.run("users", "disable", "ada@example.com").status == 0)
        #expect(await events.next()?.contains("account_disabled") == true)
        kill(process.processIdentifier, SIGTERM)
        #expect(await exits.first { _ in true } == 0)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `following tells each event once as it comes, until a signal`(signal: Int32) async throws {
        let program = try Program()
        try await program.populate(["ada@example.com"])
        try await program.settle()
        let (process, output, _) = program.prepare(["audit", "tail", "--follow", "--json"], [:])
        let exits = try process.start()
        defer { if process.isRunning { process.terminate() } }
        var kinds: [String] = []
        for await line in Server.lines(of: output) {
            kinds.append(line.firstMatch(of: /"kind":"([a-z_]+)"/).map { String($0.output.1) } ?? line)
            switch kinds.count {
            case 1: #expect(try await program.run("users", "disable", "ada@example.com").status == 0)
            case 2: #expect(try await program.run("users", "delete", "ada@example.com", "--yes").status == 0)
            case 3: kill(process.processIdentifier, signal)
            default: Issue.record("\(line)")
            }
        }
        #expect(kinds == ["account_invited", "account_disabled", "account_deleted"])
        let last = try await program.run("audit", "tail", "--json", "--limit", "1").objects()
        #expect(last.last?["user_agent"] as? String == "vestibule command")
        #expect(await exits.first { _ in true } == 0)
    }
}
