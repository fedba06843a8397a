import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// What follows the right password of an account with a second factor.
@Suite(.timeLimit(.minutes(15)))
struct SecondStepTests {
    private static let email = "ada@example.com"

    @Test func `the log says what proved a sign-in`() async throws {
        try await withHouse { house in
            let (member, key) = try await house.memberWithPasskey(Self.email)
            try await member.submit("/logout")
            try await member.logIn(email: Self.email)
            _ = try await member.second(with: key)
            try await house.visitor().logIn(with: key)
            let lines = house.logs.lines(of: "authn_login_success").filter { $0.contains("amr=") }
            #expect(lines.count == 2 && lines[0].contains("amr=pwd pop mfa ") && lines[1].contains("amr=pop mfa "))
        }
    }

    @Test func `the event of a right first step is kept until the second one is right`() async throws {
        try await withHouse { house in
            let (member, key) = try await house.memberWithPasskey(Self.email)
            let begun = "First step of a sign-in passed, second one not finished"
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            #expect(try await member.get("/account/activity").shows(begun))
            #expect(try await house.events(of: Self.email).first?.address?.description == "203.0.113.7")
            #expect(house.logs.lines(of: "authn_login_second_step").count == 1)
            #expect(try await visitor.second(with: key).location == "/account")
            #expect(try await !member.get("/account/activity").shows(begun))
            _ = try await house.app().signIn(Self.email)
            let kinds = try await house.events(of: Self.email).map(\.kind)
            #expect(kinds.first == .secondStepBegun && kinds.count { $0 == .secondStepBegun } == 1)
        }
    }

    @Test func `a wrong password, and an address without an account, begin no second step`() async throws {
        try await withHouse { house in
            _ = try await house.memberWithPasskey(Self.email)
            for email in [Self.email, "nobody@example.com"] {
                try await house.visitor().logIn(email: email, password: "wrong")
            }
            #expect(try await !house.events(of: Self.email).contains { $0.kind == .secondStepBegun })
            #expect(house.logs.lines(of: "authn_login_second_step").isEmpty)
        }
    }

    @Test func `starting over keeps where the visitor wanted to go`() async throws {
        try await withHouse { house in
            _ = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email, returnTo: "/account/data")
            let page = try await visitor.get("/login/second")
            #expect(page.body.contains(#"<a href="/login?return_to=/account/data">Start over</a>"#))
        }
    }

    @Test func `the right password leads to the second step, and opens nothing`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            let page = try await visitor.logIn(email: Self.email, remember: true, returnTo: "/account/data")
            #expect(page.status == .seeOther && page.location == "/login/second")
            #expect(await visitor.cookies.keys.sorted() == ["vestibule-flow"])
            #expect(try await !visitor.isSignedIn())
            #expect(try await visitor.get("/login/second").heading == "Confirm it&#39;s you")
            let before = await visitor.cookies["vestibule-flow"]
            let proved = try await visitor.second(with: key)
            #expect(proved.status == .seeOther && proved.location == "/account/data")
            #expect(await visitor.cookies["vestibule-flow"] == nil && before != nil)
            #expect(await visitor.cookies["vestibule-device"] != nil)
            let session = try await house.session(of: visitor)
            #expect(
                session.proof.by == .password && session.proof.secondFactor == .passkey && session.lifetime.remembered)
            #expect(try await visitor.get("/login/second").location == "/account")
        }
    }

    @Test func `the fifth wrong step ends the flow, counts, and its owner is mailed`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            for _ in 1...4 {
                let page = try await visitor.second(code: "123456")
                #expect(page.status == .unprocessableContent && page.shows("That code is wrong or has been used."))
            }
            let fifth = try await visitor.second(code: "123456")
            #expect(fifth.status == .unprocessableContent && fifth.shows("href=\"/login\""))
            #expect(!fifth.shows("action=\"/login/second\""))
            #expect(try await house.failuresInARow("ada@example.com") == 5)
            let mail = try await house.mailbox.next(
                to: Self.email, subject: "Someone couldn't finish signing in to your account")
            #expect(mail.text.contains("five wrong\ncodes or passkeys in a row"))
            let kinds = try await house.events(of: Self.email).prefix(5).map(\.kind)
            #expect(kinds.allSatisfy { $0 == .secondStepFailed })
            // The right one comes too late.
            #expect(try await visitor.second(with: key).status == .tooManyRequests)
            #expect(try await !visitor.get("/login/second").shows("action=\"/login/second\""))
            #expect(try await !visitor.isSignedIn())
        }
    }

    @Test func `its owner is mailed of five in a row, also from one login to the next`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            let subject = "Someone couldn't finish signing in to your account"
            // A right one begins anew.
            for _ in 1...2 {
                try await visitor.logIn(email: Self.email)
                for _ in 1...4 { try await visitor.second(code: "123456") }
                #expect(try await visitor.second(with: key).location == "/account")
                try await visitor.logOut()
            }
            for tries in [3, 2] {
                try await visitor.logIn(email: Self.email)
                for _ in 1...tries { try await visitor.second(code: "123456") }
            }
            _ = try await house.mailbox.next(to: Self.email, subject: subject)
            #expect(await house.mailbox.subjects(to: Self.email).count { $0 == subject } == 1)
        }
    }

    @Test func `a new login gets new tries, and success forgets the failures`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            for _ in 1...5 { try await visitor.second(code: "1") }
            try await visitor.logIn(email: Self.email)
            #expect(try await house.failuresInARow("ada@example.com") == 5)
            #expect(try await visitor.second(with: key).location == "/account")
            #expect(try await house.failuresInARow("ada@example.com") == 0)
        }
    }

    @Test func `an empty step is said at its field and uses up no try`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            for _ in 1...6 { #expect(try await visitor.second(code: " ").status == .unprocessableContent) }
            let sentences = ["totp": "Enter the six digits from the app.", "recovery_code": "Enter a code."]
            for (way, sentence) in sentences {
                #expect(try await visitor.post("/login/second", ["code": "", "way": way]).shows(sentence))
            }
            #expect(try await visitor.second(with: key).location == "/account")
        }
    }

    @Test func `another browser cannot go on with the flow`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            let other = house.visitor(at: "203.0.113.8")
            #expect(try await other.second(with: key).location == "/login")
            #expect(try await other.get("/login/second").location == "/login")
            await other.set("vestibule-flow", "invented")
            #expect(try await other.second(with: key).location == "/login")
            // What it signed was not used up: nothing was tried.
            #expect(try await visitor.second(with: key).location == "/account")
        }
    }

    @Test func `another account's passkey is wrong`() async throws {
        try await withHouse { house in
            _ = try await house.memberWithPasskey(Self.email)
            let eve = try await house.member("eve@example.com")
            var key = Authenticator(number: 2)
            try await eve.add(&key)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            #expect(try await visitor.second(with: key).status == .unprocessableContent)
            #expect(try await !visitor.isSignedIn())
        }
    }

    @Test func `after ten minutes the password is needed again`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            for (seconds, destination) in [(599, "/account"), (600, "/login")] {
                let visitor = house.visitor(at: "203.0.113.\(seconds % 100)")
                try await visitor.logIn(email: Self.email)
                house.clock.advance(by: .seconds(seconds))
                #expect(try await visitor.second(with: key).location == destination)
            }
        }
    }
}
