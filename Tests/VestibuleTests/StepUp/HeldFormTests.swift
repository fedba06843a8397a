import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// What a form that waits for a proof is good for.
@Suite(.timeLimit(.minutes(15)))
struct HeldFormTests {
    private static let email = "ada@example.com"
    private static let endOthers = "/account/sessions/end-others"

    /// A member whose request to end the other sessions waits, and one of those.
    private func held(_ house: House) async throws -> (
        member: Browser, key: Authenticator, asked: Page, other: Browser
    ) {
        let (member, key) = try await house.memberWithPasskey(Self.email)
        let other = house.visitor(at: "203.0.113.7")
        try await other.logIn(with: key)
        house.clock.advance(by: .seconds(600))
        let asked = try await member.submit(Self.endOthers)
        #expect(asked.asksSecondProof)
        return (member, key, asked, other)
    }

    @Test func `a wrong proof is refused, counted and kept as an event; the form still waits`() async throws {
        try await withHouse { house in
            let (member, key, asked, other) = try await held(house)
            for count in 1...3 {
                let wrong = try await member.post(
                    asked.heldForm ?? "", ["csrf": asked.csrf ?? "", "code": "123456"])
                #expect(wrong.status == .unprocessableContent && wrong.shows("That code is wrong or has been used."))
                #expect(wrong.heldForm == asked.heldForm)
                #expect(try await house.failuresInARow("ada@example.com") == count)
            }
            #expect(try await house.events(of: Self.email).first?.kind == .proofFailed)
            #expect(try await other.isSignedIn())
            #expect(try await member.prove(asked, with: key).leads(to: "/account/devices", saying: .sessionsEnded))
            #expect(try await !other.isSignedIn())
            #expect(try await house.events(of: Self.email).contains { $0.kind == .proved })
        }
    }

    @Test func `a right proof for a form that fails then signs nobody out`() async throws {
        let store = try SQLiteStore(inMemory: ())
        try await withHouse(store: store) { house in
            let (member, key, asked, other) = try await held(house)
            _ = try await store.write {
                try $0.run(
                    "CREATE TRIGGER broken BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'broken'); END", [])
            }
            #expect(try await member.prove(asked, with: key).status == .internalServerError)
            #expect(try await member.isSignedIn())
            #expect(try await other.isSignedIn())
        }
    }

    @Test func `a right proof for what is gone signs nobody out`() async throws {
        try await withHouse { house in
            let (member, key) = try await house.memberWithPasskey(Self.email)
            house.clock.advance(by: .seconds(600))
            let asked = try await member.submit("/account/security/passkeys/gone/remove")
            #expect(asked.asksSecondProof)
            let done = try await member.prove(asked, with: key)
            #expect(done.leads(to: "/account/security/passkeys", saying: .goneAlready))
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `guessing is limited by session, in a known browser, too, and its owner is mailed`() async throws {
        try await withHouse { house in
            let (member, _, asked, _) = try await held(house)
            var statuses: [HTTPResponse.Status] = []
            for _ in 1...6 {
                statuses.append(
                    try await member.post(asked.heldForm ?? "", ["csrf": asked.csrf ?? "", "code": "1"]).status)
            }
            // Five in ten minutes and session, from however many addresses.
            #expect(statuses == Array(repeating: .unprocessableContent, count: 5) + [.tooManyRequests])
            _ = try await house.mailbox.next(
                to: Self.email, subject: "Someone in your account couldn't confirm it's you")
        }
    }

    @Test func `it goes on once`() async throws {
        try await withHouse { house in
            let (member, key, asked, _) = try await held(house)
            try await member.prove(asked, with: key)
            let again = try await member.post(asked.heldForm ?? "", ["csrf": asked.csrf ?? ""])
            #expect(again.leads(to: "/account/security", saying: .formStale))
        }
    }

    @Test func `another session cannot take it, nor another path`() async throws {
        try await withHouse { house in
            let (member, key, asked, other) = try await held(house)
            let csrf = try await other.get("/account").csrf ?? ""
            try await other.logIn(with: key)
            let taken = try await other.post(
                asked.heldForm ?? "", ["csrf": try await other.get("/account").csrf ?? csrf])
            #expect(taken.leads(to: "/account/security", saying: .formStale))
            #expect(try await member.isSignedIn())
            let elsewhere = asked.heldForm?.replacing(Self.endOthers, with: "/account/delete") ?? ""
            let question = try await member.question("\(Browser.passkeys)/proof-options")
            let fields = ["csrf": asked.csrf ?? "", "credential": try key.assertion(question.bytes).text]
            #expect(try await member.post(elsewhere, fields).leads(to: "/account/security", saying: .formStale))
            #expect(try await member.isSignedIn())
        }
    }

    /// A copy of somebody's session.
    private func copy(of member: Browser, _ house: House) async -> Browser {
        let thief = house.visitor(at: "203.0.113.66")
        await thief.steal("vestibule", from: member)
        return thief
    }

    @Test func `what a copy of the session has sent does not go on after another form's proof`() async throws {
        try await withHouse { house in
            let (member, key, asked, _) = try await held(house)
            let id = try await house.factors(of: Self.email).passkeys[0].id
            let theirs = try await copy(of: member, house).submit("\(Browser.passkeys)/\(id)/remove")
            #expect(theirs.asksSecondProof)
            #expect(try await member.prove(asked, with: key).leads(to: "/account/devices", saying: .sessionsEnded))
            let csrf = try await member.get("/account").csrf ?? ""
            let gone = try await member.post(theirs.heldForm ?? "", ["csrf": csrf])
            #expect(gone.leads(to: "/account/security", saying: .formStale))
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
        }
    }

    @Test func `what a copy of the session has sent is gone with the other sessions`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            house.clock.advance(by: .seconds(540))
            let thief = await copy(of: member, house)
            let page = try await thief.get(Browser.appPage)
            house.clock.advance(by: .seconds(60))
            let code = try AuthenticatorApp(typing: try #require(page.appKey)).code(at: house.clock.now)
            let asked = try await thief.confirmApp(page, code: code)
            let held = try #require(asked.heldForm)
            let ended = try await member.submit(Self.endOthers, ["current_password": Browser.goodPassword])
            #expect(ended.leads(to: "/account/devices", saying: .sessionsEnded))
            let question = try await member.get(held)
            #expect(question.heading == "Thank you" && question.shows("change your authenticator app"))
            let gone = try await member.post(held, ["csrf": question.csrf ?? ""])
            #expect(gone.leads(to: "/account/security", saying: .formStale))
            #expect(try await house.factors(of: Self.email).totp == nil)
        }
    }

    @Test func `it waits for ten minutes`() async throws {
        try await withHouse { house in
            let (member, key, asked, other) = try await held(house)
            house.clock.advance(by: .seconds(600))
            #expect(try await member.prove(asked, with: key).leads(to: "/account/security", saying: .formStale))
            #expect(try await other.isSignedIn())
        }
    }

    @Test func `another site can neither begin nor end it`() async throws {
        try await withHouse { house in
            let (member, key, asked, other) = try await held(house)
            let crossSite = ["Sec-Fetch-Site": "cross-site"]
            let begun = try await member.post(Self.endOthers, ["csrf": asked.csrf ?? ""], headers: crossSite)
            #expect(begun.status == .forbidden && !begun.asksSecondProof)
            let question = try await member.question("\(Browser.passkeys)/proof-options")
            let credential = try key.assertion(question.bytes).text
            #expect(try await member.post(asked.heldForm ?? "", ["credential": credential]).status == .forbidden)
            let crossed = try await member.post(
                asked.heldForm ?? "", ["csrf": asked.csrf ?? "", "credential": credential], headers: crossSite)
            #expect(crossed.status == .forbidden)
            #expect(try await other.isSignedIn())
        }
    }

    @Test func `a signature for signing in proves nothing here, nor one for another session`() async throws {
        try await withHouse { house in
            let (member, key, asked, other) = try await held(house)
            let signIn = try await member.question("/login/passkey/options")
            var fields = ["csrf": asked.csrf ?? "", "credential": try key.assertion(signIn.bytes).text]
            #expect(try await member.post(asked.heldForm ?? "", fields).status == .unprocessableContent)
            let theirs = try await other.question("\(Browser.passkeys)/proof-options")
            await member.set("vestibule-passkey", await other.cookies["vestibule-passkey"] ?? "")
            fields["credential"] = try key.assertion(theirs.bytes).text
            #expect(try await member.post(asked.heldForm ?? "", fields).status == .unprocessableContent)
        }
    }

    @Test func `a signature proves once`() async throws {
        try await withHouse { house in
            let (member, key, asked, _) = try await held(house)
            let question = try await member.question("\(Browser.passkeys)/proof-options")
            let fields = ["csrf": asked.csrf ?? "", "credential": try key.assertion(question.bytes).text]
            let cookie = await member.cookies["vestibule-passkey"]
            #expect(try await member.post(asked.heldForm ?? "", fields).status == .seeOther)
            house.clock.advance(by: .seconds(600))
            await member.set("vestibule-passkey", cookie ?? "")
            let next = try await member.submit(Self.endOthers)
            #expect(try await member.post(next.heldForm ?? "", fields).status == .unprocessableContent)
        }
    }
}
