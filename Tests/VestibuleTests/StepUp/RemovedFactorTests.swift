import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// What proves somebody again whose session remembers a second factor that is asked for no more.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct RemovedFactorTests {
    private static let email = "ada@example.com"
    private static let endOthers = "/account/sessions/end-others"

    /// Types the password where it is asked for, and returns what the form is answered with.
    private func proveByPassword(_ member: Browser, _ path: String) async throws -> Page {
        let asked = try await member.submit(path)
        try #require(asked.heading == "Confirm it&#39;s you" && !asked.asksSecondProof)
        return try await member.post(
            asked.heldForm ?? path, ["csrf": asked.csrf ?? "", "current_password": Browser.goodPassword])
    }

    /// Whether the password has made the session's proof young, and nothing else is said of it.
    private func expectPasswordOnly(_ member: Browser, _ house: House) async throws {
        let proof = try await house.session(of: member).proof
        #expect(proof == Session.Proof(at: house.clock.now, by: .password))
        #expect(proof.methods == ["pwd"])
    }

    /// Gives the password where the page of the app asks for it, and adds another one.
    private func addAnother(_ member: Browser, _ house: House) async throws {
        let asked = try await member.get(Browser.appPage)
        let fields = ["csrf": asked.csrf ?? "", "current_password": Browser.goodPassword]
        #expect(try await member.post(try #require(asked.heldForm), fields).location == Browser.appPage)
        try await expectPasswordOnly(member, house)
        try await member.addApp(at: house.clock.now)
    }

    @Test func `who has removed an app is believed on the password, on forms and on pages`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            try await member.addApp(at: house.clock.now)
            try await member.submit("\(Browser.appPage)/remove")
            house.clock.advance(by: .seconds(600))
            let ended = try await proveByPassword(member, Self.endOthers)
            #expect(ended.leads(to: "/account/devices", saying: .sessionsEnded))
            house.clock.advance(by: .seconds(600))
            try await addAnother(member, house)
        }
    }

    @Test func `so is who came in by a recovery code and removed the lost app`() async throws {
        try await withHouse { house in
            let owner = try await house.member(Self.email)
            try await owner.addApp(at: house.clock.now)
            let code = try #require(try await owner.makeRecoveryCodes().recoveryCodes.first)
            let member = house.visitor()
            try await member.logIn(email: Self.email)
            #expect(try await member.second(code: code).location == "/account")
            try await member.submit("\(Browser.appPage)/remove")
            house.clock.advance(by: .seconds(600))
            try await addAnother(member, house)
        }
    }

    @Test func `where a factor is required, the password opens the page that adds one`() async throws {
        try await withHouse([.secondFactor: "required"]) { house in
            let member = try await house.member(Self.email)
            try await member.addApp(at: house.clock.now)
            try await member.submit("\(Browser.appPage)/remove")
            #expect(try await member.get("/account").location == "/account/security")
            house.clock.advance(by: .seconds(600))
            try await addAnother(member, house)
            #expect(try await member.get("/account").status == .ok)
        }
    }

    @Test func `where none is asked for any more, the password is enough`() async throws {
        let (store, clock) = (try await sharedStore(), TestClock())
        try await withHouse(store: store, clock: clock) { before in
            let (member, _) = try await before.memberWithPasskey(Self.email)
            try await withHouse([.secondFactor: "off"], store: store, clock: clock) { house in
                let browser = house.visitor()
                await browser.steal("vestibule", from: member)
                clock.advance(by: .seconds(600))
                let ended = try await proveByPassword(browser, Self.endOthers)
                #expect(ended.leads(to: "/account/devices", saying: .sessionsEnded))
                try await expectPasswordOnly(browser, house)
            }
        }
    }

    @Test func `an account without a password is deleted after the provider's word`() async throws {
        try await withProviders { house, _ in
            let member = house.visitor()
            try await member.signUpThroughExample()
            try await member.addApp(at: house.clock.now)
            try await member.submit("\(Browser.appPage)/remove")
            house.clock.advance(by: .seconds(601))
            let link = try #require(try await member.get("/account/delete").linkToProvider("prove"))
            try await member.comeFromExample(.init(ahead: 601), path: link)
            #expect(try await member.get("/account/delete").linkToProvider("prove") == nil)
            let deleted = try await member.submit("/account/delete", ["confirm": "delete"])
            #expect(deleted.leads(to: "/", saying: .accountDeleted))
        }
    }

    /// The mark stands on no page of such a session; somebody may have made a copy before.
    @Test func `while there is a second factor, a provider's word later does not stand in for it`() async throws {
        try await withProviders { house, _ in
            let member = house.visitor()
            try await member.signUpThroughExample()
            let app = try await member.addApp(at: house.clock.now)
            let mark = SignedLink(key: House.key)
                .mark(ProviderLink.proving("example"), try await house.session(of: member))
            house.clock.advance(by: .seconds(601))
            let link = "/auth/example?prove=\(mark)&return_to=/account/delete"
            try await member.comeFromExample(.init(ahead: 601), path: link)
            let proof = try await house.session(of: member).proof
            #expect(proof.secondFactor == nil && proof.methods == ["fed"])
            for path in [Self.endOthers, "/account/delete", "/account/email", Browser.codesPage] {
                #expect(try await member.submit(path, ["confirm": "delete"]).asksSecondProof, "\(path)")
            }
            let asked = try await member.submit(Self.endOthers)
            let ended = try await member.prove(on: asked, code: app.code(at: house.clock.now))
            #expect(ended.leads(to: "/account/devices", saying: .sessionsEnded))
        }
    }

    @Test func `a provider's word does not lengthen a second factor that still counts`() async throws {
        try await withProviders { house, _ in
            let member = house.visitor()
            try await member.signUpThroughExample()
            try await member.addApp(at: house.clock.now)
            let app = try await house.session(of: member).proof
            let mark = SignedLink(key: House.key)
                .mark(ProviderLink.proving("example"), try await house.session(of: member))
            house.clock.advance(by: .seconds(500))
            try await member.comeFromExample(.init(ahead: 500), path: "/auth/example?prove=\(mark)&return_to=/account")
            #expect(try await house.session(of: member).proof == app)
            house.clock.advance(by: .seconds(100))
            #expect(try await member.submit(Self.endOthers).asksSecondProof)
        }
    }
}
