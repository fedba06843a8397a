import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// What the page says that follows a change of factors.
@Suite(.timeLimit(.minutes(15)))
struct FactorChangeTests {
    private static let email = "ada@example.com"
    private static let offer = "Other browsers and apps are still signed in"

    /// The page that the answer to a change leads to.
    private func page(after change: Page, _ browser: Browser) async throws -> Page {
        try await browser.get(try #require(change.location))
    }

    @Test func `a passkey that is added or removed offers to end the other sessions, at once`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            let other = house.visitor(at: "203.0.113.7")
            try await other.logIn(email: Self.email)
            var key = Authenticator(number: 1)
            let added = try await page(after: member.add(&key), member)
            #expect(added.shows(Self.offer) && added.shows("action=\"/account/sessions/end-others\""))
            let id = try await house.factors(of: Self.email).passkeys[0].id
            let removed = try await page(after: member.submit("\(Browser.passkeys)/\(id)/remove"), member)
            #expect(removed.shows(Self.offer))
            #expect(try await other.isSignedIn())
            let ended = try await member.post("/account/sessions/end-others", ["csrf": removed.csrf ?? ""])
            #expect(ended.leads(to: "/account/devices", saying: .sessionsEnded))
            #expect(try await member.isSignedIn())
            #expect(try await !other.isSignedIn())
        }
    }

    @Test func `so does an app that is added or removed`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            try await house.visitor(at: "203.0.113.7").logIn(email: Self.email)
            try await member.addApp(at: house.clock.now)
            #expect(try await page(after: member.last, member).shows(Self.offer))
            let removed = try await member.submit("\(Browser.appPage)/remove")
            #expect(try await page(after: removed, member).shows(Self.offer))
        }
    }

    @Test func `a provider that is added or removed renews the session and offers to end the others`() async throws {
        try await withProviders { house, _ in
            let member = try await house.member(Self.email)
            let other = house.visitor(at: "203.0.113.7")
            try await other.logIn(email: Self.email)
            let thief = house.visitor(at: "198.51.100.9")
            await thief.set("vestibule", await member.cookies["vestibule"] ?? "")
            #expect(try await thief.isSignedIn())
            let answer = try await member.comeFromExample(path: try await member.linkToAddExample())
            #expect(try await page(after: answer, member).shows(Self.offer))
            #expect(try await !thief.isSignedIn())
            await thief.set("vestibule", await member.cookies["vestibule"] ?? "")
            #expect(try await thief.isSignedIn())
            let id = try await house.services.store.identities(of: Self.email)[0].id
            let removed = try await page(after: member.submit("/account/identities/\(id)/remove"), member)
            #expect(removed.shows(Self.offer))
            #expect(try await !thief.isSignedIn())
            #expect(try await member.isSignedIn())
            #expect(try await other.isSignedIn())
        }
    }

    @Test func `connecting a provider at sign-in renews the session`() async throws {
        try await withProviders { house, _ in
            let member = try await house.member(Self.email)
            let thief = house.visitor(at: "198.51.100.9")
            await thief.set("vestibule", await member.cookies["vestibule"] ?? "")
            try await member.comeFromExample()
            let csrf = try await member.get("/auth/continue").csrf ?? ""
            let connected = try await member.post("/auth/continue/connect", ["csrf": csrf])
            #expect(connected.leads(to: "/account/security", saying: .identityAdded))
            #expect(try await member.isSignedIn())
            #expect(try await !thief.isSignedIn())
        }
    }

    @Test func `so do new recovery codes, once they are kept`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            try await house.visitor(at: "203.0.113.7").logIn(email: Self.email)
            try await member.addApp(at: house.clock.now)
            let made = try await member.makeRecoveryCodes()
            #expect(!made.shows(Self.offer) && made.shows("href=\"\(Browser.codesPage)/kept\""))
            let kept = try await page(after: member.get("\(Browser.codesPage)/kept"), member)
            #expect(kept.notice == "Your new recovery codes work from now on." && kept.shows(Self.offer))
            house.clock.advance(by: .seconds(1800))
            let later = try await member.get("\(Browser.codesPage)/kept")
            #expect(later.location == "/account/security" && later.flash == nil)
        }
    }

    @Test func `nothing is offered where there is no other session`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            let other = house.visitor(at: "203.0.113.7")
            try await other.logIn(email: Self.email)
            try await other.logOut()
            var key = Authenticator(number: 1)
            let added = try await page(after: member.add(&key), member)
            #expect(added.notice == "Passkey added. Now make recovery codes, for the day you lose it.")
            #expect(!added.shows(Self.offer))
        }
    }
}
