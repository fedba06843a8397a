import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// `VESTIBULE_SECOND_FACTOR=required`
@Suite(.timeLimit(.minutes(15)))
struct RequiredFactorTests {
    private static let email = "ada@example.com"
    private static let kept = "/account/security/recovery-codes/kept"

    @Test func `an account without one is led to where it adds one, and then goes on`() async throws {
        try await withHouse([.secondFactor: "required"]) { house in
            let visitor = try await house.member(Self.email)
            let page = try await visitor.logIn(email: Self.email)
            #expect(page.location == "/account/security")
            for name in ["", "/data", "/devices", "/activity", "/email", "/password"] {
                let path = "/account\(name)"
                #expect(try await visitor.get(path).location == "/account/security", "\(path)")
            }
            let security = try await visitor.get("/account/security")
            #expect(security.shows("action=\"/account/export\"") && security.shows("href=\"/account/delete\""))
            #expect(try await visitor.get("/account/delete").status == .ok)
            let csrf = security.csrf ?? ""
            let renamed = try await visitor.post("/account/profile", ["csrf": csrf, "display_name": "Eve"])
            #expect(renamed.location == "/account/security")
            #expect(try await house.account(Self.email).displayName == "Ada Lovelace")
            try await visitor.addApp(at: house.clock.now)
            #expect(try await visitor.isSignedIn())
            #expect(try await !visitor.get("/account/security").shows("href=\"/account/delete\""))
        }
    }

    @Test func `where the visitor wanted to go comes after it is added`() async throws {
        let wish = "https://app.example/x"
        try await withHouse([.secondFactor: "required", .returnToOrigins: "https://app.example"]) { house in
            let visitor = try await house.member(Self.email)
            try await visitor.logOut()
            #expect(try await visitor.logIn(email: Self.email, returnTo: wish).location == "/account/security")
            #expect(try await visitor.get(Self.kept).location == "/account/security")
            try await visitor.addApp(at: house.clock.now)
            #expect(try await visitor.get(Browser.codesPage).shows("Not now"))
            try await visitor.makeRecoveryCodes()
            #expect(try await visitor.get(Self.kept).location == wish)
            #expect(try await visitor.get(Self.kept).location == "/account/security")
            #expect(try await !visitor.get(Browser.codesPage).shows("Not now"))
        }
    }

    @Test func `so it does when terms come before`() async throws {
        let (wish, store) = ("https://app.example/x", try await sharedStore())
        try await withHouse(store: store) { house in _ = try await house.member(Self.email) }
        let both: [Setting: String] = [
            .secondFactor: "required", .termsVersion: "2", .returnToOrigins: "https://app.example",
        ]
        try await withHouse(both, store: store) { house in
            let visitor = house.visitor()
            let terms = try await visitor.get(visitor.logIn(email: Self.email, returnTo: wish).location ?? "")
            let fields = ["csrf": terms.csrf ?? "", "terms": "accepted", "return_to": wish]
            #expect(try await visitor.post("/account/terms", fields).location == "/account/security")
            // The logo leads to the welcome page, which is not where the visitor wanted to go.
            #expect(try await visitor.get("/").location == "/account/security")
            try await visitor.addApp(at: house.clock.now)
            #expect(try await visitor.get(Self.kept).location == wish)
        }
    }

    @Test func `a session waits again when the mailbox is taken as proved, which ends the factor`() async throws {
        try await withHouse([.secondFactor: "required", .verification: "off"]) { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: Self.email)
            house.clock.advance(by: .seconds(1))
            try await visitor.addApp(at: house.clock.now)
            #expect(try await visitor.get("/account").status == .ok)
            let account = try await house.account(Self.email)
            #expect(try await Administration(services: house.services).verify(account))
            #expect(try await visitor.get("/account").location == "/account/security")
            house.clock.advance(by: .seconds(60))
            try await visitor.addApp(at: house.clock.now)
            #expect(try await visitor.get("/account").status == .ok)
        }
    }

    @Test func `so does an application that signs in by OpenID Connect`() async throws {
        try await withParty([.secondFactor: "required"]) { party, ada, house in
            #expect(try await ada.get(party.path()).location == "/account/security")
            try await ada.addApp(at: house.clock.now)
            let resumed = try #require(try await ada.get(Self.kept).location)
            #expect(resumed.hasPrefix("/oauth/authorize?resume="))
            #expect(try await ada.get(resumed).shows("Notes"))
        }
    }

    @Test func `so does one behind the proxy`() async throws {
        try await withApplications(values: [.secondFactor: "required"]) { proxied, house in
            let start = try #require(await proxied.verdict("/x").location)
            let enter = try #require(await proxied.open(start).location)
            #expect(try await proxied.open(enter).location == "/account/security")
            try await proxied.site.addApp(at: house.clock.now)
            let resumed = try #require(try await proxied.site.get(Self.kept).location)
            #expect(resumed.hasPrefix("/enter?request="))
        }
    }

    @Test func `where passkeys are off it is told to add an app`() async throws {
        try await withHouse([.secondFactor: "required", .passkeys: "off"]) { house in
            let page = try await house.member(Self.email).get("/account/security")
            #expect(page.shows("Add an authenticator app to continue.") && !page.body.contains("passkey"))
        }
    }

    @Test func `no page shows ways that lead back to where one is added`() async throws {
        try await withHouse([.secondFactor: "required"]) { house in
            let member = try await house.member(Self.email)
            let security = "/account/security"
            for path in [security, "\(security)/passkeys", "\(security)/totp", "/account/delete"] {
                let page = try await member.get(path)
                #expect(page.status == .ok && page.csrf != nil, "\(path)")
                for section in ["devices", "activity", "data"] {
                    #expect(!page.body.contains(#"href="/account/\#(section)""#), "\(path)")
                }
            }
            #expect(try await member.get("/account/delete").body.contains(#"action="/account/export""#))
            try await member.addApp(at: house.clock.now)
            let page = try await member.get("/account/delete").body
            #expect(page.contains(#"href="/account/data""#) && !page.contains(#"action="/account/export""#))
        }
    }

    @Test func `an app may only add one`() async throws {
        try await withHouse([.secondFactor: "required"]) { house in
            _ = try await house.member(Self.email)
            let app = house.app(at: "203.0.113.7")
            #expect(try await app.signIn(Self.email).status == .ok)
            let refused = try await app.call(.get, "user")
            #expect(refused.status == .forbidden && refused.code == "second_factor_required")
            var key = Authenticator(number: 1)
            #expect(try await app.add(&key).status == .ok)
            #expect(try await app.call(.get, "user").status == .ok)
        }
    }

    @Test func `no way to sign in is added before`() async throws {
        try await withProviders([.secondFactor: "required"]) { house, _ in
            let visitor = try await house.member(Self.email)
            #expect(try await visitor.linkToAddExample().isEmpty)
            let record = try await house.record(of: visitor)
            let mark = SignedLink(key: House.key).mark(ProviderLink.adding("example"), record.session)
            #expect(try await visitor.follow("/auth/example?link=\(mark)").location == "/account/security")
            let confirm = try await visitor.get("/account/confirm?add=example&link=\(mark)")
            #expect(confirm.linkToProvider("link") == nil)
            try await visitor.addApp(at: house.clock.now)
            let asked = try await visitor.follow("/auth/example?link=\(mark)")
            #expect(asked.location?.contains("client_id=") == true)
        }
    }

    @Test func `a provider whose adding began before the last factor went is not added`() async throws {
        try await withProviders([.secondFactor: "required"]) { house, _ in
            let owner = try await house.member(Self.email)
            let app = try await owner.addApp(at: house.clock.now)
            let asked = try await owner.startSignIn(owner.linkToAddExample())
            let other = house.visitor(at: "203.0.113.7")
            house.clock.advance(by: .seconds(30))
            try await other.logIn(email: Self.email)
            #expect(try await other.second(code: app.code(at: house.clock.now)).location == "/account")
            try await other.submit("\(Browser.appPage)/remove")
            try #require(await owner.get("/account").location == "/account/security")
            let code = try ProviderStandIn.code(
                .init(nonce: asked.nonce, challenge: asked.fields["code_challenge"]))
            let back = try await owner.get("/auth/example/callback?state=\(asked.state)&code=\(code)")
            #expect(back.leads(to: "/account/security", saying: .providerFailed))
            #expect(try await house.services.store.identities(of: Self.email).isEmpty)
        }
    }

    @Test func `a session that waits for a factor removes no provider, and no button offers it`() async throws {
        let (standIn, store) = (try await ProviderStandIn.shared.value, try await sharedStore())
        let clock = TestClock(Date())
        try await withHouse(store: store, clock: clock, environment: standIn.example) { house in
            let member = try await house.member(Self.email)
            try await member.comeFromExample(path: member.linkToAddExample())
            #expect(try await member.get("/account/security").shows("/remove\""))
        }
        let required: [Setting: String] = [.secondFactor: "required"]
        try await withHouse(required, store: store, clock: clock, environment: standIn.example) { house in
            let member = house.visitor()
            #expect(try await member.logIn(email: Self.email).location == "/account/security")
            let page = try await member.get("/account/security")
            #expect(!page.shows("/remove\""))
            let id = try await store.identities(of: Self.email)[0].id
            let answer = try await member.post("/account/identities/\(id)/remove", ["csrf": page.csrf ?? ""])
            #expect(answer.location == "/account/security")
            #expect(try await store.identities(of: Self.email).count == 1)
        }
    }

    @Test func `no application is opened before`() async throws {
        try await withApplications(values: [.secondFactor: "required"]) { browser, house in
            let held = try await browser.verdict("/", at: ProxiedBrowser.home)
            #expect(held.status == .seeOther)
            let site = browser.site
            try await site.addApp(at: house.clock.now)
            #expect(try await browser.verdict("/", at: ProxiedBrowser.home).status == .ok)
        }
    }

    @Test func `another session that waited ends when one is added`() async throws {
        try await withHouse([.secondFactor: "required"]) { house in
            let owner = try await house.member(Self.email)
            let thief = house.visitor(at: "203.0.113.66")
            #expect(try await thief.logIn(email: Self.email).location == "/account/security")
            try await owner.addApp(at: house.clock.now)
            #expect(try await owner.isSignedIn())
            #expect(try await thief.get("/account").location?.hasPrefix("/login") == true)
        }
    }

    @Test func `no passkey is taken that a browser made by itself`() async throws {
        try await withHouse([.secondFactor: "required"]) { house in
            let visitor = try await house.member(Self.email)
            var key = Authenticator(number: 7)
            #expect(try await visitor.add(&key, byItself: true).status == .unprocessableContent)
            #expect(try await house.factors(of: Self.email).passkeys.isEmpty)
        }
    }

    @Test func `such a passkey from before stands in for none`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { before in
            var key = Authenticator(number: 7)
            let added = try await before.member(Self.email).add(&key, byItself: true)
            #expect(added.status == .seeOther)
            try await expectWaiting(key, store)
        }
    }

    private func expectWaiting(_ key: Authenticator, _ store: any Store) async throws {
        try await withHouse([.secondFactor: "required"], store: store) { house in
            let visitor = house.visitor()
            let page = try await visitor.logIn(with: key)
            #expect(page.location == "/account/security")
            #expect(try await visitor.get("/account").location == "/account/security")
        }
    }
}
