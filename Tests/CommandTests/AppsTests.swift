import Foundation
import Testing

@testable import Essentials

/// `vestibule apps …`
@Suite(.timeLimit(.minutes(15)), .serialized)
struct AppsTests {
    private let applications = [
        "VESTIBULE_APP_NOTES_REDIRECTS": "https://notes.example.com/in", "VESTIBULE_APP_PHONE_CLIENT": "public",
        "VESTIBULE_APP_NOTES_LOGOUT_REDIRECTS": "https://notes.example.com/bye",
        "VESTIBULE_APP_PHONE_REDIRECTS": "com.example.phone:/in",
        "VESTIBULE_APP_WIKI_ORIGINS": "https://wiki.example.com",
    ]

    @Test func `a secret is shown once, two may be valid, and one is revoked by its id`() async throws {
        let program = try Program()
        try await program.settle()
        let warning = "warn applications: Notes has no secret for OpenID Connect: `vestibule apps secret notes` makes"
        let lacking = try await program.run("doctor", environment: applications).output
        #expect(lacking.contains(warning) && !lacking.contains("apps secret phone"), "\(lacking)")
        let made = try await program.run("apps", "secret", "Notes", environment: applications)
        let secret = try #require(made.output.firstMatch(of: /^([\w-]{43})\n$/)?.output.1)
        let id = try #require(
            made.errors.firstMatch(of: /^This secret is not shown again\. Its id is (\S+)\.\n$/)?.output.1)
        #expect(try await !program.run("doctor", environment: applications).output.contains("apps secret notes"))
        let second = try await program.run("apps", "secret", "notes", "--json", environment: applications).objects()
        #expect((second.first?["secret"] as? String)?.utf8.count == 43)
        let third = try await program.run("apps", "secret", "notes", environment: applications)
        #expect(third.status == 1 && third.isRefusal && third.errors.contains("notes has two secrets already"))
        let shown = try await program.run("apps", "show", "notes", environment: applications)
        #expect(!shown.output.contains(secret) && shown.output.contains("Secret \(id): made "))
        let revoke = ["apps", "secret", "notes", "--revoke", String(id)]
        #expect(try await program.run(revoke, environment: applications).output == "revoked \(id)\n")
        let again = try await program.run(revoke, environment: applications)
        #expect(again.status == 1 && again.isRefusal && again.errors.contains("notes has no secret \(id)"))
        let kinds = try await program.run("audit", "tail", "--json").objects().compactMap { $0["kind"] as? String }
        #expect(kinds == ["client_secret_created", "client_secret_created", "client_secret_revoked"])
        for file in try FileManager.default.subpathsOfDirectory(atPath: program.folder + "/data") {
            let bytes = FileManager.default.contents(atPath: program.folder + "/data/" + file) ?? Data()
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)")
        }
    }

    @Test func `they are listed before there is a database, and none is made`() async throws {
        let program = try Program()
        let list = try await program.run("apps", "list", "--json", environment: applications)
        #expect(list.status == 0 && list.errors.isEmpty)
        #expect(try list.objects().compactMap { $0["name"] as? String } == ["notes", "phone", "wiki"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder).isEmpty)
    }

    @Test func `it shows what to type into an application, and lists all of them`() async throws {
        let program = try Program()
        try await program.settle()
        let shown = try await program.run("apps", "show", "notes", environment: applications)
        for line in [
            "Issuer: http://localhost:", "Client ID: notes", "Redirect URI: https://notes.example.com/in",
            "PKCE: S256, required", "ID token: RS256", "Logout redirect URI: https://notes.example.com/bye",
            "Secret: none; make one with `vestibule apps secret notes`",
        ] {
            #expect(shown.output.contains(line), "\(line)")
        }
        let json = try await program.run("apps", "show", "phone", "--json", environment: applications).objects().first
        #expect(json?["client"] as? String == "public, no secret")
        let list = try await program.run("apps", "list", "--json", environment: applications).objects()
        #expect(list.compactMap { $0["name"] as? String } == ["notes", "phone", "wiki"])
        #expect(list.map { $0["openid"] as? String } == ["confidential", "public", nil])
        #expect(list.map { $0["origins"] as? [String] } == [[], [], ["https://wiki.example.com"]])
        #expect(json?["redirect_uris"] as? [String] == ["com.example.phone:/in"])
        #expect(json?["logout_uri"] == nil && json?["post_logout_redirect_uris"] as? [String] == [])
        for (name, cause) in [("wiki", "does not sign in by OpenID Connect"), ("shop", "there is no application shop")]
        {
            let refused = try await program.run("apps", "show", name, environment: applications)
            #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains(cause))
        }
        let secret = try await program.run("apps", "secret", "phone", environment: applications)
        #expect(secret.status == 1 && secret.isRefusal && secret.errors.contains("phone is a public client"))
    }
}
