import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// "Trust this browser for 30 days"
@Suite(.timeLimit(.minutes(15)))
struct TrustedBrowserTests {
    private static let email = "ada@example.com"
    private static let day = 86_400

    /// The owner, the passkey, and another browser that may leave the second step out.
    private func trusted(_ house: House) async throws -> (owner: Browser, key: Authenticator, visitor: Browser) {
        let (owner, key) = try await house.memberWithPasskey(Self.email)
        house.clock.advance(by: .seconds(1))
        let visitor = house.visitor(at: "203.0.113.7")
        try await visitor.logIn(email: Self.email)
        #expect(try await visitor.second(with: key, trust: true).location == "/account")
        return (owner, key, visitor)
    }

    @Test func `a trusted browser is not asked for 30 days`() async throws {
        try await withHouse { house in
            let (_, _, visitor) = try await trusted(house)
            #expect(try await visitor.logIn(email: Self.email).location == "/account")
            house.clock.advance(by: .seconds(30 * Self.day - 1))
            #expect(try await visitor.logIn(email: Self.email).location == "/account")
            #expect(try await house.session(of: visitor).proof.secondFactor == nil)
            house.clock.advance(by: .seconds(1))
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
        }
    }

    @Test(arguments: ["prompt": "login", "max_age": "300"])
    func `a trusted browser is asked where an application asks for a fresh proof`(name: String, value: String)
        async throws
    {
        try await withHouse(environment: RelyingParty.environment) { house in
            let (_, key, visitor) = try await trusted(house)
            let notes = try await house.party("notes")
            try await visitor.logOut()
            func enter(_ changes: [String: String?]) async throws -> Page {
                let login = try #require(try await visitor.get(notes.path(changes)).location)
                let wish = try await visitor.get(login).hidden("return_to")
                return try await visitor.logIn(email: Self.email, returnTo: wish)
            }
            #expect(try await enter([name: value]).location == "/login/second")
            #expect(try await visitor.second(with: key).location?.hasPrefix("/oauth/authorize?resume=") == true)
            try await visitor.logOut()
            #expect(try await enter([:]).location?.hasPrefix("/oauth/authorize?resume=") == true)
        }
    }

    @Test func `only who asks for it is trusted`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            house.clock.advance(by: .seconds(1))
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            try await visitor.second(with: key)
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
        }
    }

    @Test func `a copy of the device cookie from before the trust is asked for the second step`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            // Who signs in when the factor is added is a stranger, and asked for that alone.
            house.clock.advance(by: .seconds(1))
            let (visitor, thief) = (house.visitor(at: "203.0.113.7"), house.visitor(at: "203.0.113.8"))
            try await visitor.logIn(email: Self.email)
            try await visitor.second(with: key)
            await thief.steal("vestibule-device", from: visitor)
            house.clock.advance(by: .seconds(60))
            try await visitor.logIn(email: Self.email)
            try await visitor.second(with: key, trust: true)
            #expect(try await visitor.logIn(email: Self.email).location == "/account")
            #expect(try await thief.logIn(email: Self.email).location == "/login/second")
        }
    }

    @Test func `another browser, and another account in this one, are asked`() async throws {
        try await withHouse { house in
            let (_, _, visitor) = try await trusted(house)
            let other = house.visitor(at: "203.0.113.7")
            #expect(try await other.logIn(email: Self.email).location == "/login/second")
            let eve = try await house.member("eve@example.com")
            var key = Authenticator(number: 2)
            try await eve.add(&key)
            #expect(try await visitor.logIn(email: "eve@example.com").location == "/login/second")
            #expect(try await visitor.second(with: key).location == "/account")
            // One browser of two accounts: each trusts it by itself.
            #expect(try await visitor.logIn(email: Self.email).location == "/account")
            #expect(try await visitor.logIn(email: "eve@example.com").location == "/login/second")
        }
    }

    @Test func `every change of factors ends it`() async throws {
        try await withHouse { house in
            let (owner, key, visitor) = try await trusted(house)
            var second = Authenticator(number: 3)
            #expect(try await owner.add(&second).status == .seeOther)
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
            try await visitor.second(with: key, trust: true)
            let id = try #require(try await house.factors(of: Self.email).passkeys.last?.id)
            let gone = try await owner.submit("\(Browser.passkeys)/\(id)/remove")
            #expect(gone.leads(to: Browser.passkeys, saying: .passkeyRemoved))
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
        }
    }

    @Test func `a passkey that a browser makes by itself leaves it`() async throws {
        try await withHouse { house in
            let (owner, _, visitor) = try await trusted(house)
            var silent = Authenticator(number: 3)
            #expect(try await owner.add(&silent, byItself: true).status == .seeOther)
            #expect(try await visitor.logIn(email: Self.email).location == "/account")
        }
    }

    @Test func `a new password ends it`() async throws {
        try await withHouse { house in
            let (owner, _, visitor) = try await trusted(house)
            let password = "another horse battery"
            house.clock.advance(by: .seconds(1))
            let changed = try await owner.submit(
                "/account/password",
                [
                    "current_password": Browser.goodPassword, "password": password,
                    "password_confirmation": password,
                ])
            #expect(changed.status == .seeOther)
            #expect(try await visitor.logIn(email: Self.email, password: password).location == "/login/second")
        }
    }

    @Test func `its owner sees it among the devices and ends it, and it is asked again`() async throws {
        try await withHouse { house in
            let (owner, _, visitor) = try await trusted(house)
            let page = try await owner.get("/account/devices")
            #expect(page.shows("Trusted browsers"))
            let ends = page.body.matches(of: /action="(\/account\/trusted\/[^"]+\/end)"/).map { String($0.output.1) }
            let end = try #require(ends.first)
            #expect(ends.count == 1)
            let eve = try await house.member("eve@example.com")
            let foreign = try await eve.post(end, ["csrf": eve.get("/account").csrf ?? ""])
            #expect(foreign.leads(to: "/account/devices", saying: .goneAlready))
            let ended = try await owner.post(end, ["csrf": try #require(page.csrf)])
            #expect(ended.leads(to: "/account/devices", saying: .trustEnded))
            #expect(try await !owner.get("/account/devices").shows("Trusted browsers"))
            let again = try await owner.post(end, ["csrf": try #require(page.csrf)])
            #expect(again.leads(to: "/account/devices", saying: .goneAlready))
            #expect(try await owner.get("/account/activity").shows("A browser is asked for the second step again"))
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
        }
    }

    @Test func `trust is no proof for what changes the account`() async throws {
        try await withHouse { house in
            let (_, _, visitor) = try await trusted(house)
            try await visitor.logIn(email: Self.email)
            #expect(try await visitor.submit("/account/sessions/end-others").asksSecondProof)
        }
    }
}
