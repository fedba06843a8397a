import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Each form that decides who opens an account, from a session whose second factor is not fresh.
@Suite(.timeLimit(.minutes(15)))
struct StepUpFormsTests {
    struct Sent: Sendable, CustomTestStringConvertible {
        let path: String
        var fields: [String: String] = [:]
        /// Where it leads once it has gone on.
        let leadsTo: String
        /// Whether it has passwords, which are typed again.
        var isTypedAgain: Bool { fields.keys.contains("current_password") }

        var testDescription: String { path }
    }

    private static let email = "ada@example.com"
    private static let password = ["current_password": Browser.goodPassword]

    static let forms = [
        Sent(
            path: "/account/password",
            fields: [
                "current_password": Browser.goodPassword, "password": "another horse battery",
                "password_confirmation": "another horse battery",
            ], leadsTo: "/account/security"),
        Sent(
            path: "/account/email", fields: ["email": "new@example.com"].merging(password) { $1 },
            leadsTo: "/account/email/verify"),
        Sent(path: "/account/export", leadsTo: "/account/export?mark="),
        Sent(path: "/account/delete", fields: ["confirm": "delete"].merging(password) { $1 }, leadsTo: "/"),
        Sent(path: "/account/sessions/end-others", leadsTo: "/account/devices"),
        Sent(path: "/account/security/passkeys/none/remove", leadsTo: "/account/security/passkeys"),
        Sent(
            path: "/account/security/passkeys/none/rename", fields: ["name": "Phone"],
            leadsTo: "/account/security/passkeys"),
    ]

    @Test(arguments: forms)
    func `it waits for the second factor, goes on after it with its fields, and the token is new`(
        form: Sent
    ) async throws {
        try await withHouse { house in
            let (member, key) = try await house.memberWithPasskey(Self.email)
            let other = house.visitor(at: "203.0.113.7")
            try await other.logIn(with: key)
            house.clock.advance(by: .seconds(600))
            let asked = try await member.submit(form.path, form.fields)
            #expect(asked.asksSecondProof && asked.headers[.cacheControl] == "no-store")
            // Nothing has happened, and nothing of the form stands on the page.
            #expect(try await other.isSignedIn())
            #expect(!asked.shows(Browser.goodPassword) && !asked.shows("new@example.com"))
            let old = await member.cookies["vestibule"]
            var done = try await member.prove(asked, with: key)
            if form.isTypedAgain {
                #expect(done.status == .unprocessableContent && done.shows("please type it again"))
                #expect(!done.shows(Browser.goodPassword))
                if let email = form.fields["email"] { #expect(done.shows(email)) }
                done = try await member.submit(form.path, form.fields)
            }
            #expect(done.status == .seeOther && done.location?.replacing(/=.*/, with: "=") == form.leadsTo)
            if form.path != "/account/delete" {
                #expect(await member.cookies["vestibule"] != old)
                #expect(try await member.isSignedIn())
            }
            let stolen = house.visitor()
            await stolen.set("vestibule", old ?? "")
            #expect(try await !stolen.isSignedIn())
        }
    }

    @Test(arguments: forms)
    func `with a recent second factor it is not held`(form: Sent) async throws {
        try await withHouse { house in
            let (member, _) = try await house.memberWithPasskey(Self.email)
            house.clock.advance(by: .seconds(599))
            #expect(try await !member.submit(form.path, form.fields).asksSecondProof)
        }
    }

    @Test(arguments: forms)
    func `without a second factor it is not held`(form: Sent) async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            house.clock.advance(by: .seconds(600))
            #expect(try await !member.submit(form.path, form.fields).asksSecondProof)
        }
    }

    @Test(arguments: ["/account/password", "/account/email", "/account/delete"])
    func `what is about to be filled in is shown after the second factor`(path: String) async throws {
        try await withHouse { house in
            let (member, key) = try await house.memberWithPasskey(Self.email)
            house.clock.advance(by: .seconds(600))
            let asked = try await member.get(path)
            #expect(asked.asksSecondProof && asked.shows("First, confirm it&#39;s you."))
            #expect(try await member.prove(asked, with: key).location == path)
            #expect(try await member.get(path).shows("name=\"current_password\""))
        }
    }

    @Test func `a new passkey waits, too, and is made for the session that asked`() async throws {
        try await withHouse { house in
            let (member, key) = try await house.memberWithPasskey(Self.email)
            house.clock.advance(by: .seconds(600))
            var second = Authenticator(number: 2)
            let asked = try await member.add(&second, name: "Spare")
            #expect(asked.asksSecondProof)
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
            let proved = try await member.prove(asked, with: key)
            #expect(proved.status == .ok && proved.body.contains("data-passkey=\"create\""))
            try await member.add(&second, name: "Spare")
            #expect(try await house.factors(of: Self.email).passkeys.map(\.name).contains("Spare"))
        }
    }

    @Test func `a password from this minute is no second factor`() async throws {
        try await withHouse { house in
            let (member, _) = try await house.memberWithPasskey(Self.email)
            house.clock.advance(by: .seconds(600))
            let held = try await member.submit(
                "/account/delete", ["confirm": "delete", "current_password": Browser.goodPassword])
            #expect(held.asksSecondProof)
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `what reveals or changes by GET needs it, too`() async throws {
        try await withHouse { house in
            let (member, key) = try await house.memberWithPasskey(Self.email)
            #expect(try await member.submit("/account/export").headers[.contentDisposition] != nil)
            house.clock.advance(by: .seconds(600))
            let asked = try await member.submit("/account/export")
            let page = try await member.get(try #require(try await member.prove(asked, with: key).location))
            #expect(page.heading == "Here is your data" && page.shows("url=/account/export/file?"))
            let record = try await house.record(of: member)
            let mark = SignedLink(key: House.key).mark("export", record.session)
            #expect(try await member.get("/account/export/file?mark=\(mark)").headers[.contentDisposition] != nil)
            house.clock.advance(by: .seconds(600))
            let late = try await member.get("/account/export/file?mark=\(mark)")
            #expect(late.headers[.contentDisposition] == nil && late.status == .seeOther)
        }
    }
}
