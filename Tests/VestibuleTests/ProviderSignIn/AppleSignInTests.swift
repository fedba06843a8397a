import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// Sign in with Apple on the web: the posted answer, the signed client secret, the name that comes
/// once.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct AppleSignInTests {
    private func withApple(
        itsOwn: Bool = false, _ test: @escaping @Sendable (House, ProviderStandIn) async throws -> Void
    ) async throws {
        let standIn = try await itsOwn ? ProviderStandIn.start() : ProviderStandIn.shared.value
        let settings = standIn.apple.merging([.limitLogin: "off", .limitSignup: "off"]) { $1 }
        try await withHouse(settings, clock: TestClock(Date())) { try await test($0, standIn) }
    }

    private static let user = #"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"forged@example.com"}"#

    @Test func `the request asks for name and address, and for the answer as a form`() async throws {
        try await withApple { house, standIn in
            let asked = try await house.visitor().startSignIn("/auth/apple")
            #expect(asked.url.hasPrefix("\(standIn.base)/auth/authorize?response_type=code&response_mode=form_post"))
            #expect(asked.url.contains("scope=name%20email") && asked.fields["client_id"] == "web.client")
            #expect(asked.state.utf8.count == 43 && asked.nonce.utf8.count == 43)
        }
    }

    @Test func `the name that comes once is kept, the address beside the token is not believed`() async throws {
        try await withApple { house, standIn in
            let visitor = house.visitor()
            #expect(try await visitor.comeFromApple(.init(), standIn, user: Self.user).location == "/auth/continue")
            let page = try await visitor.get("/auth/continue")
            #expect(page.shows("value=\"Ada Lovelace\"") && page.shows("ada@example.com") && !page.shows("forged"))
            // A refused form loses nothing: the name is still there for another try.
            #expect(try await visitor.post("/auth/continue", ["display_name": ""]).status == .unprocessableContent)
            #expect(try await visitor.get("/auth/continue").shows("value=\"Ada Lovelace\""))
            #expect(try await visitor.acceptAndContinue().location == "/account")
            let again = house.visitor()
            #expect(try await again.comeFromApple(.init(), standIn).location == "/account")
            #expect(try await again.get("/account").shows("Hello, Ada Lovelace."))
        }
    }

    @Test func `a name with markup is shown as text, and one that cannot be shown is asked for`() async throws {
        try await withApple { house, standIn in
            let visitor = house.visitor()
            try await visitor.comeFromApple(.init(), standIn, user: #"{"name":{"firstName":"<b>A","lastName":"\"x"}}"#)
            #expect(try await visitor.get("/auth/continue").shows("value=\"&lt;b&gt;A &quot;x\""))
            let other = house.visitor()
            try await other.comeFromApple(.init(), standIn, user: #"{"name":{"firstName":"\u0000"}}"#)
            #expect(try await other.get("/auth/continue").shows("name=\"display_name\" value=\"\""))
        }
    }

    @Test func `only Apple's own page may post the answer, and only there`() async throws {
        try await withApple { house, standIn in
            for origin in ["https://evil.example", "null"] {
                let headers = ["Origin": origin, "Sec-Fetch-Site": "cross-site"]
                let page = try await house.visitor().post("/auth/apple/callback", ["state": "x"], headers: headers)
                #expect(page.status == .forbidden)
            }
            let headers = ["Origin": standIn.base, "Sec-Fetch-Site": "cross-site"]
            for path in ["/login", "/auth/continue", "/auth/apple/callback/x"] {
                let page = try await house.visitor().post(path, [:], headers: headers)
                #expect(page.status == .forbidden)
            }
        }
    }

    @Test func `an answer for another browser is refused, and a cancelled one leads back quietly`() async throws {
        try await withApple { house, standIn in
            let (attacker, victim) = (house.visitor(), house.visitor())
            let theirs = try await attacker.startSignIn("/auth/apple")
            let fields = ["state": theirs.state, "code": try ProviderStandIn.code(.init(nonce: theirs.nonce))]
            #expect(try await victim.postFromApple(fields, standIn).leads(to: "/login", saying: .providerFailed))
            _ = try await victim.startSignIn("/auth/apple")
            #expect(try await victim.postFromApple(fields, standIn).leads(to: "/login", saying: .providerFailed))
            let cancel = ["state": theirs.state, "error": "user_cancelled_authorize"]
            #expect(try await attacker.postFromApple(cancel, standIn).location == "/")
            #expect(house.logs.lines(of: "authn_provider_rejected").count == 2)
        }
    }

    @Test func `an address Apple has not confirmed makes no account`() async throws {
        try await withApple { house, standIn in
            let visitor = house.visitor()
            #expect(try await visitor.comeFromApple(.init(lie: "unverified"), standIn).location == "/auth/continue")
            #expect(try await visitor.get("/auth/continue").shows("confirmed your email address"))
            #expect(try await visitor.acceptAndContinue().location == "/auth/continue")
            #expect(try await house.events(of: "ada@example.com").isEmpty)
            let other = house.visitor()
            try await other.comeFromApple(.init(email: nil), standIn)
            #expect(try await other.get("/auth/continue").shows("confirmed your email address"))
        }
    }

    @Test func `deleting the account takes back what Apple was told`() async throws {
        try await withApple(itsOwn: true) { house, standIn in
            let visitor = house.visitor()
            try await visitor.comeFromApple(.init(), standIn)
            try await visitor.acceptAndContinue()
            let csrf = try await visitor.get("/account/delete").csrf ?? ""
            let page = try await visitor.post("/account/delete", ["csrf": csrf, "confirm": "delete"])
            #expect(page.leads(to: "/", saying: .accountDeleted))
            let revoked = try await standIn.record().filter { $0["call"] == "/auth/revoke" }.map { $0["token"] }
            #expect(revoked == ["r.web.client.001234.abcdef"])
            #expect(try await house.visitor().comeFromApple(.init(), standIn).location == "/auth/continue")
        }
    }

    @Test func `so does its deletion by the operator`() async throws {
        try await withApple(itsOwn: true) { house, standIn in
            let visitor = house.visitor()
            try await visitor.comeFromApple(.init(), standIn)
            try await visitor.acceptAndContinue()
            let email = "ada@example.com" as EmailAddress
            let account = try #require(try await house.services.store.account(.address(email))).account
            let eraser = AccountEraser(services: house.services)
            #expect(try await eraser.erase(account, agent: SecurityEvent.operatorAgent))
            let revoked = try await standIn.record().filter { $0["call"] == "/auth/revoke" }.map { $0["token"] }
            #expect(revoked == ["r.web.client.001234.abcdef"])
            #expect(try await !visitor.isSignedIn())
        }
    }

    @Test func `taking an address back revokes what Apple granted`() async throws {
        try await withApple(itsOwn: true) { house, standIn in
            let thief = house.visitor()
            try await thief.comeFromApple(.init(), standIn)
            try await thief.acceptAndContinue()
            try await thief.askForEmail("thief@example.net")
            try await thief.typeEmail(code: house.mailbox.code(for: "thief@example.net"))
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your email address was changed")
            let link = try #require(mail.text.firstMatch(of: /\/account\/email\/undo\?token=[A-Za-z0-9_-]+/)?.output)
            let owner = house.visitor()
            _ = try await owner.open(String(link))
            try await owner.askForUndoCode()
            let code = try await house.mailbox.code(
                for: "ada@example.com", subject: "Your code to take your account back")
            let page = try await owner.undoEmail(code: code, password: "staple horse battery correct")
            #expect(page.leads(to: "/login", saying: .emailRestored))
            let revoked = try await standIn.record().filter { $0["call"] == "/auth/revoke" }.map { $0["token"] }
            #expect(revoked == ["r.web.client.001234.abcdef"])
        }
    }

    @Test func `a new password revokes what Apple granted for a way in that was added lately`() async throws {
        try await withApple(itsOwn: true) { house, standIn in
            let member = try await house.member("ada@example.com")
            house.clock.advance(by: .seconds(1))
            let link = try #require(try await member.get("/account/security").linkToProvider("link", "apple"))
            try await member.comeFromApple(.init(), standIn, path: link)
            #expect(try await house.services.store.identities(of: "ada@example.com").count == 1)
            let new = "staple horse battery correct"
            let page = try await member.submit(
                "/account/password",
                ["current_password": Browser.goodPassword, "password": new, "password_confirmation": new])
            #expect(page.leads(to: "/account/security", saying: .passwordReplaced))
            let revoked = try await standIn.record().filter { $0["call"] == "/auth/revoke" }.map { $0["token"] }
            #expect(revoked == ["r.web.client.001234.abcdef"])
        }
    }

    @Test func `production refuses a stand-in for Apple, and half of the settings are no settings`() async throws {
        let standIn = try await ProviderStandIn.shared.value
        let production: [Setting: String] = [
            .mode: "production", .publicURL: "https://a.example", .mailURL: "smtps://mail.example:465",
            .mailFrom: "a@b.example", .secretKey: String(repeating: "A", count: 43) + "=",
        ]
        let refused = #expect(throws: SettingFaults.self) {
            try House.settings(standIn.apple.merging(production) { $1 })
        }
        #expect(refused?.all.contains { $0.name == "VESTIBULE_APPLE_BASE_URL" } == true)
        let half = #expect(throws: SettingFaults.self) { try House.settings([.appleClientID: "web.client"]) }
        let missing = ["TEAM_ID", "KEY_ID", "PRIVATE_KEY_FILE"].map { "VESTIBULE_APPLE_\($0)" }
        #expect(half?.all.map(\.description) == missing.map { "\($0) is not set" })
        let unreadable = standIn.apple.merging([.applePrivateKeyFile: "/nowhere"]) { $1 }
        let noKey = #expect(throws: SettingFaults.self) { try House.settings(unreadable) }
        #expect(noKey?.all.map(\.name) == ["VESTIBULE_APPLE_PRIVATE_KEY_FILE"])
    }
}
