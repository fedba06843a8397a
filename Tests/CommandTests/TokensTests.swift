import Foundation
import Testing

@testable import Essentials

/// `vestibule tokens …`
@Suite(.timeLimit(.minutes(15)), .serialized)
struct TokensTests {
    private let applications = [
        "VESTIBULE_APP_NOTES_ORIGINS": "https://notes.example.com",
        "VESTIBULE_APP_WIKI_ORIGINS": "https://wiki.example.com",
    ]

    @Test func `a token is shown once, listed and revoked`() async throws {
        let program = try Program()
        try await program.settle()
        let create = ["tokens", "create", "--app", "Notes", "--label", "nightly backup", "--expires", "90d"]
        let made = try await program.run(create, environment: applications)
        let token = try #require(made.output.firstMatch(of: /^(vestibule_[\w-]{43})\n$/)?.output.1)
        let id = try #require(
            made.errors.firstMatch(of: /^This token is not shown again\. Its id is (\S+)\.\n$/)?.output.1)
        let other = try await program.run(
            "tokens", "create", "--app", "wiki", "--label", "x", "--json", environment: applications
        ).objects().first
        #expect((other?["token"] as? String)?.hasPrefix("vestibule_") == true && other?["expires_at"] == nil)
        let list = try await program.run("tokens", "list", "--json")
        #expect(!list.output.contains(token) && !list.output.contains("vestibule_"))
        let rows = try list.objects()
        #expect(rows.compactMap { $0["application"] as? String } == ["wiki", "notes"])
        #expect(rows.last?["id"] as? String == String(id) && rows.last?["label"] as? String == "nightly backup")
        let (start, end) = (rows.last?["created_at"] as? String, rows.last?["expires_at"] as? String)
        let lifetime = try Date(end ?? "", strategy: .iso8601).timeIntervalSince(Date(start ?? "", strategy: .iso8601))
        #expect(lifetime == 90 * 86_400 && rows.last?["last_used_at"] == nil)
        #expect(try await program.run("tokens", "list", "--app", "notes", "--json").objects().count == 1)
        #expect(try await program.run("tokens", "revoke", String(id)).output == "revoked \(id)\n")
        let again = try await program.run("tokens", "revoke", String(id))
        #expect(again.status == 1 && again.isRefusal && again.errors.contains("there is no token \(id)"))
        #expect(try await program.run("tokens", "list", "--app", "notes", "--json").output.isEmpty)
        let audit = try await program.run("audit", "tail", "--json")
        let kinds = try audit.objects().compactMap { $0["kind"] as? String }
        #expect(kinds == ["machine_token_created", "machine_token_created", "machine_token_revoked"])
        for file in try FileManager.default.subpathsOfDirectory(atPath: program.folder + "/data") {
            let bytes = FileManager.default.contents(atPath: program.folder + "/data/" + file) ?? Data()
            #expect(bytes.range(of: Data(token.utf8)) == nil, "\(file)")
        }
    }

    @Test func `for an application that no proxy guards none is made`() async throws {
        let program = try Program()
        try await program.settle()
        let refused = try await program.run(
            "tokens", "create", "--app", "shop", "--label", "x",
            environment: ["VESTIBULE_APP_SHOP_REDIRECTS": "https://shop.example.com/in"])
        #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains("VESTIBULE_APP_SHOP_ORIGINS"))
        #expect(try await program.run("tokens", "list", "--json").output.isEmpty)
    }

    @Test func `an application that the settings do not name is refused with those they name`() async throws {
        let program = try Program()
        try await program.settle()
        let create = ["tokens", "create", "--app", "shop", "--label", "x"]
        let refused = try await program.run(create, environment: applications)
        #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains("there is no application shop"))
        #expect(refused.errors.contains("One of: notes, wiki."))
        let list = try await program.run("tokens", "list", "--app", "shop", environment: applications)
        #expect(list.status == 1 && list.isRefusal && list.errors == refused.errors)
        let none = try await program.run(create)
        #expect(none.status == 1 && none.isRefusal && none.errors.contains("VESTIBULE_APP_<NAME>_ORIGINS"))
        #expect(try await program.run("tokens", "list", "--json").output.isEmpty)
    }
}
