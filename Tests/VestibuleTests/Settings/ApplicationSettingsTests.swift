import Essentials
import Testing

@testable import Vestibule

struct ApplicationSettingsTests {
    private func read(_ environment: [String: String]) throws -> Settings {
        try SettingsSources.read(flags: [:], environment: environment, environmentFile: nil)
    }

    @Test func `an application has origins, a label, groups and headers`() throws {
        let settings = try read([
            "VESTIBULE_APP_NOTES_ORIGINS": "https://Notes.example.com:443/, http://localhost:3000",
            "VESTIBULE_APP_WIKI2_ORIGINS": "https://wiki.example.org", "VESTIBULE_APP_WIKI2_LABEL": "Our wiki",
            "VESTIBULE_APP_WIKI2_GROUPS": "staff, ops", "VESTIBULE_APP_WIKI2_HEADERS": "plain",
            "VESTIBULE_APP_WIKI2_ICON": "wiki.svg",
        ])
        let applications = Applications(settings.applications)
        let notes = try #require(applications.application(named: "NOTES"))
        #expect(notes.origins.map(\.text) == ["https://notes.example.com", "http://localhost:3000"])
        #expect(notes.label == "Notes" && !notes.wantsPlainHeaders && notes.admits(groups: []))
        let origin = try #require(Origin("https://wiki.example.org"))
        let wiki = try #require(applications.application(at: origin))
        #expect(wiki.label == "Our wiki" && wiki.wantsPlainHeaders)
        #expect(wiki.icon == "wiki.svg" && notes.icon == nil)
        #expect(wiki.admits(groups: ["ops"]) && !wiki.admits(groups: ["OPS", "sta"]))
        #expect(Origin("https://wiki.example.org:8443").map { applications.application(at: $0) == nil } == true)
    }

    @Test func `an application with redirects is a client, and needs no origins`() throws {
        let settings = try read([
            "VESTIBULE_APP_NOTES_REDIRECTS":
                "https://notes.example/in, http://127.0.0.1/in, http://localhost:3000/in, com.example.notes:/in",
            "VESTIBULE_APP_PHONE_REDIRECTS": "app.immich:///oauth-callback", "VESTIBULE_APP_PHONE_CLIENT": "public",
            "VESTIBULE_APP_WIKI_REDIRECTS": "https://wiki.example/in", "VESTIBULE_APP_WIKI_PKCE": "optional",
            "VESTIBULE_APP_WIKI_ID_TOKEN": "ES256", "VESTIBULE_APP_WIKI_OFFLINE": "on",
            "VESTIBULE_APP_WIKI_TRUSTED": "on", "VESTIBULE_APP_WIKI_LOGOUT_URL": "https://wiki.example/out",
            "VESTIBULE_APP_WIKI_LOGOUT_REDIRECTS": "https://wiki.example/bye",
        ])
        let applications = Applications(settings.applications)
        let notes = try #require(applications.client("notes")?.client)
        #expect(notes == OpenIDClient(redirects: notes.redirects) && notes.requiresPKCE && !notes.isPublic)
        #expect(
            notes.redirects.map(\.source) == [
                "https://notes.example", "http://127.0.0.1:*", "http://localhost:*", "com.example.notes:",
            ])
        #expect(notes.mayRedirect(to: "http://localhost:4000/in") && !notes.mayRedirect(to: "http://localhost:4000/"))
        #expect(!notes.mayRedirect(to: "http://localhost:99999/in"))
        #expect(applications.client("NOTES") == nil && applications.client("phone")?.client?.isPublic == true)
        let wiki = try #require(applications.client("wiki")?.client)
        #expect(!wiki.requiresPKCE && wiki.algorithm == .es256 && wiki.offersOffline && wiki.isTrusted)
        #expect(wiki.logoutURL == "https://wiki.example/out" && wiki.mayLeaveTo("https://wiki.example/bye"))
    }

    @Test(arguments: [
        ["REDIRECTS": ","], ["REDIRECTS": "https://*.example/in"], ["REDIRECTS": "http://notes.example/in"],
        ["REDIRECTS": "https://notes.example/in#x"], ["REDIRECTS": "https://ada@notes.example/in"],
        ["REDIRECTS": "javascript:alert(1)"], ["REDIRECTS": "notes:/in"], ["REDIRECTS": "/in"],
        ["REDIRECTS": "http://127.0.0.1.evil.example/in"], ["REDIRECTS": "http://[::1]/in"],
        ["REDIRECTS": "https://a.example/in,https://a.example/in"], ["CLIENT": "secret"], ["PKCE": "plain"],
        ["CLIENT": "public", "PKCE": "optional"], ["ID_TOKEN": "none"], ["ID_TOKEN": "HS256"], ["OFFLINE": "yes"],
        ["TRUSTED": "1"], ["LOGOUT_URL": "ftp://a.example"], ["LOGOUT_URL": "http://a.example/out"],
        ["LOGOUT_URL": "https://a.example/out#x"], ["LOGOUT_REDIRECTS": "https://a.example/*"],
    ])
    func `a client that cannot stand stops the start`(changes: [String: String]) {
        let all = ["REDIRECTS": "https://notes.example/in"].merging(changes) { $1 }
        let environment = Dictionary(uniqueKeysWithValues: all.map { ("VESTIBULE_APP_NOTES_\($0.key)", $0.value) })
        let error = #expect(throws: SettingFaults.self) { try read(environment) }
        #expect(error?.all.isEmpty == false && error?.all.allSatisfy { !$0.hint.isEmpty } == true)
    }

    @Test func `an origin with a path is refused with a hint that names the path`() {
        let environment = ["VESTIBULE_APP_NOTES_ORIGINS": "https://notes.example.com/members"]
        let error = #expect(throws: SettingFaults.self) { try read(environment) }
        #expect(error?.all.first?.hint.hasPrefix("An origin has no path; the proxy says which pages") == true)
    }

    @Test(arguments: ["https://notes.example.com.", "http://notes.example.com.:8000"])
    func `a host with a dot at its end is refused with a hint that names the dot`(origin: String) {
        for setting in ["VESTIBULE_APP_NOTES_ORIGINS", "VESTIBULE_PUBLIC_URL"] {
            let error = #expect(throws: SettingFaults.self) { try read([setting: origin]) }
            #expect(error.map { Set($0.all.map(\.name)) } == [setting])
            #expect(error?.all.first?.hint.contains("Leave out the dot at the end of the host.") == true)
        }
    }

    @Test func `what only a client has needs redirects`() {
        let error = #expect(throws: SettingFaults.self) {
            try read(["VESTIBULE_APP_NOTES_ORIGINS": "https://a.example", "VESTIBULE_APP_NOTES_TRUSTED": "on"])
        }
        #expect(error?.all.map(\.name) == ["VESTIBULE_APP_NOTES_TRUSTED"])
    }

    @Test(arguments: [
        ["VESTIBULE_APP_NOTES_LABEL": "Notes"],
        ["VESTIBULE_APP_NOTES_ORIGINS": " , "],
        ["VESTIBULE_APP_NOTES_ORIGINS": "https://notes.example.com/path"],
        ["VESTIBULE_APP_NOTES_ORIGINS": "https://*.example.com"],
        ["VESTIBULE_APP_NOTES_ORIGINS": "https://a.example, https://A.example:443"],
        ["VESTIBULE_APP_NOTES_ORIGINS": "https://a.example", "VESTIBULE_APP_NOTES_GROUPS": ","],
        ["VESTIBULE_APP_NOTES_ORIGINS": "https://a.example", "VESTIBULE_APP_NOTES_GROUPS": "a b"],
        ["VESTIBULE_APP_NOTES_ORIGINS": "https://a.example", "VESTIBULE_APP_NOTES_HEADERS": "all"],
        ["VESTIBULE_APP_NOTES_ORIGINS": "https://a.example", "VESTIBULE_APP_NOTES_LABEL": "a{"],
        ["VESTIBULE_APP_A_ORIGINS": "https://a.example", "VESTIBULE_APP_B_ORIGINS": "https://a.example"],
        ["VESTIBULE_APP_A_ORIGIN": "https://a.example"], ["VESTIBULE_APP_A_B_ORIGINS": "https://a.example"],
    ])
    func `what cannot stand stops the start`(environment: [String: String]) {
        #expect {
            try read(environment)
        } throws: { error in
            let faults = (error as? SettingFaults)?.all ?? []
            return faults.count == 1 && faults.allSatisfy { $0.name.hasPrefix("VESTIBULE_APP_") && !$0.hint.isEmpty }
        }
    }

    @Test(arguments: [
        ("VESTIBULE_APP_MY_NOTES_ORIGINS", "VESTIBULE_APP_MYNOTES_ORIGINS; VESTIBULE_APP_MYNOTES_LABEL"),
        ("VESTIBULE_APP_notes_GROUPS", "VESTIBULE_APP_NOTES_GROUPS; VESTIBULE_APP_NOTES_LABEL"),
        ("VESTIBULE_OIDC_MY-ID_CLIENT_ID", "VESTIBULE_OIDC_MYID_CLIENT_ID; VESTIBULE_OIDC_MYID_LABEL"),
    ])
    func `a name with other characters than letters and digits gets one without them as hint`(
        name: String, hint: String
    ) {
        let error = #expect(throws: SettingFaults.self) { try read([name: "x"]) }
        let faults = error?.all ?? []
        #expect(faults.map(\.name) == [name])
        #expect(faults.first?.problem.contains("may have capital letters and digits only") == true)
        #expect(faults.first?.hint == "Write \(hint) is what people read.")
    }
}
