import Foundation
import Testing

@testable import Essentials

/// `vestibule users groups`
@Suite(.timeLimit(.minutes(15)), .serialized)
struct GroupsTests {
    @Test func `an account enters and leaves groups, which show, export and audit trail tell`() async throws {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        let session = try await program.signUp("ada@example.com", at: server)
        let groups = ["users", "groups", "Ada@example.com"]
        let none = try await program.run(groups)
        #expect(none.status == 0 && none.output.isEmpty && none.errors == "ada@example.com is in no group\n")
        let added = try await program.run(
            groups + ["--add", "staff", "--add", "Editors", "--add", "staff"],
            environment: [
                "VESTIBULE_APP_NOTES_ORIGINS": "https://notes.example.com",
                "VESTIBULE_APP_NOTES_GROUPS": "staff,Editors",
            ])
        #expect(added.status == 0 && added.output == "Editors\nstaff\n" && added.errors.isEmpty)
        #expect(try await program.run(groups).output == added.output)
        let changed = try await program.run(groups + ["--remove", "staff", "--add", "a.b-c_1", "--json"]).objects()
        #expect(changed.first?["groups"] as? [String] == ["Editors", "a.b-c_1"] && changed.count == 1)
        let id = try #require(changed.first?["account_id"] as? String)
        let again = try await program.run("users", "groups", id, "--add", "Editors", "--remove", "nothing")
        #expect(again.errors == "ada@example.com was not in the group nothing\n")
        #expect(again.output == "Editors\na.b-c_1\n")
        #expect(try await program.run("users", "show", id).output.contains("groups    Editors, a.b-c_1\n"))
        let shown = try await program.run("users", "show", id, "--json").objects().first
        #expect(shown?["groups"] as? [String] == ["Editors", "a.b-c_1"])
        let events = try await program.run("audit", "tail", "--json").objects().compactMap { $0["kind"] as? String }
        #expect(events.count { $0 == "groups_changed" } == 2)
        let page = try await server.send("/account/activity", cookie: session)
        #expect(page.status == 200 && page.body.contains("Groups changed by the people who run this site"))
        _ = await server.end(SIGTERM)
    }

    @Test func `an account whose address nobody has proved enters a group with a note`() async throws {
        let program = try Program()
        try await program.populate(["ada@example.com"])
        let arguments = ["users", "groups", "ada@example.com", "--add", "staff"]
        let note = "nobody has proved the address ada@example.com: whoever has its account is now in staff"
        // It may have been made while nobody had to.
        for verification in ["off", "required"] {
            let added = try await program.run(arguments, environment: ["VESTIBULE_VERIFICATION": verification])
            #expect(added.status == 0 && added.output == "staff\n" && added.errors.contains(note), "\(added.errors)")
        }
        try await program.change("UPDATE accounts SET verified_at = created_at")
        #expect(try await !program.run(arguments).errors.contains("nobody has proved"))
    }

    @Test func `members of a group are listed, and a group that nothing else names may be misspelled`() async throws {
        let program = try Program()
        try await program.populate(["ada@example.com", "bob@example.com", "eve@example.com"])
        try await program.change("UPDATE accounts SET verified_at = created_at")
        let misspelled = try await program.run("users", "groups", "ada@example.com", "--add", "staf")
        #expect(misspelled.status == 0 && misspelled.output == "staf\n")
        #expect(
            misspelled.errors
                == "no application names the group staf, and no other account is in it: is it spelled right?\n")
        #expect(try await program.run("users", "groups", "ada@example.com", "--add", "staf").errors.isEmpty)
        #expect(try await program.run("users", "groups", "eve@example.com", "--add", "staf").errors.isEmpty)
        let members = ["users", "list", "--json", "--group"]
        let first = try await program.run(members + ["staf", "--limit", "1"])
        #expect(try first.objects().compactMap { $0["email"] as? String } == ["ada@example.com"])
        #expect(first.errors == "next page: --after ada@example.com\n")
        let all = try await program.run(members + ["staf", "--all"]).objects()
        #expect(all.compactMap { $0["email"] as? String } == ["ada@example.com", "eve@example.com"])
        #expect(try await program.run(members + ["Staf"]).output.isEmpty)
        let refused = try await program.run(members + ["st af"])
        #expect(refused.status == 64 && refused.isRefusal)
    }

    @Test func `the hundred and first group is refused`() async throws {
        let program = try Program()
        try await program.populate(["ada@example.com"])
        let groups = ["users", "groups", "ada@example.com"]
        let added = try await program.run(groups + (0..<100).flatMap { ["--add", "g\($0)"] })
        #expect(added.output.split(separator: "\n").count == 100)
        let refused = try await program.run(groups + ["--add", "more"])
        #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains("more than 100 groups"))
        #expect(try await program.run(groups).output == added.output)
    }
}
