import Foundation
import HTTPTypes
import Logging
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct NewSignInTests {
    private static let subject = "New sign-in to your account"
    private static let summary = "More new sign-ins to your account"

    @Test func `a browser not seen before is mailed once, and known from then on`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let other = house.visitor(at: "203.0.113.77")
            try await other.logIn(email: "ada@example.com")
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: Self.subject)
            for body in [mail.text, mail.html] {
                #expect(body.contains("Firefox on Linux") && body.contains("203.0.113.77"))
                #expect(body.contains("18 November 2026, 11:06 UTC"))
            }
            let sent = await house.mailbox.count(to: "ada@example.com")
            try await other.logIn(email: "ada@example.com")
            try await member.logOut()
            try await member.logIn(email: "ada@example.com")
            let kinds = try await house.events(of: "ada@example.com").map(\.kind)
            #expect(kinds.count { $0 == .loginNewDevice } == 1 && kinds.count { $0 == .login } == 3)
            #expect(try await house.waitingMails() == 0)
            #expect(await house.mailbox.count(to: "ada@example.com") == sent)
        }
    }

    @Test func `a browser that knows an address from another account is new to the one that takes it`() async throws {
        try await withHouse { house in
            let ada = try await house.member("ada@example.com")
            house.clock.advance(by: .seconds(1))
            let holder = try await house.member("office@example.com")
            // Deleting the account takes the mark out of its own browser's cookie alone.
            let former = house.visitor()
            await former.steal("vestibule-device", from: holder)
            let csrf = try await holder.get("/account/delete").csrf ?? ""
            let fields = ["csrf": csrf, "current_password": Browser.goodPassword, "confirm": "delete"]
            #expect(try await holder.post("/account/delete", fields).leads(to: "/", saying: .accountDeleted))
            house.clock.advance(by: .seconds(1))
            _ = try await house.mailbox.next(to: "office@example.com", subject: "Your account has been deleted")
            try await ada.askForEmail("office@example.com")
            try await ada.typeEmail(code: house.mailbox.code(for: "office@example.com"))
            for browser in [former, ada] {
                try await browser.logOut()
                #expect(try await browser.logIn(email: "office@example.com").location == "/account")
            }
            let kinds = try await house.events(of: "office@example.com").map(\.kind)
            #expect(kinds.filter { $0 == .login || $0 == .loginNewDevice }.prefix(2) == [.login, .loginNewDevice])
        }
    }

    @Test func `a sign-in from an address that nobody can tell says so, in the mail and on the pages`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let other = house.visitor(at: "unknown")
            try await other.logIn(email: "ada@example.com")
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: Self.subject)
            for body in [mail.text, mail.html] { #expect(body.contains("Unknown IP address")) }
            #expect(try await other.get("/account/devices").shows("Unknown IP address"))
            #expect(try await other.get("/account/activity").body.matches(of: /Firefox on Linux/).count > 2)
        }
    }

    @Test func `the time is written as the account's language does`() async throws {
        try await withHouse { house in
            let german = ["Accept-Language": "de"]
            let fields = Browser.signupFields(email: "ada@example.com")
            let visitor = house.visitor()
            try await visitor.post("/signup", fields, headers: german)
            let code = try await house.mailbox.code(for: "ada@example.com")
            try await visitor.post("/signup/verify", ["code": code], headers: german)
            try await house.visitor(at: "2001:db8::77").logIn(email: "ada@example.com")
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Neue Anmeldung bei Ihrem Konto")
            for body in [mail.text, mail.html] {
                #expect(body.contains("18. November 2026, 11:06 Uhr (UTC)") && body.contains("2001:db8::77"))
                #expect(body.contains("Firefox auf Linux"))
            }
        }
    }

    @Test func `three mails a day, then one summary of the rest`() async throws {
        try await withHouse([.limitLogin: "off"], logLevel: .debug) { house in
            _ = try await house.member("ada@example.com")
            for number in 1...6 {
                try await house.visitor(at: "203.0.\(number).1").logIn(email: "ada@example.com")
                house.clock.advance(by: .seconds(60))
            }
            for _ in 1...3 { _ = try await house.mailbox.next(to: "ada@example.com", subject: Self.subject) }
            let sent = await house.mailbox.count(to: "ada@example.com")
            try await house.tidy()
            #expect(try await house.waitingMails() == 0)
            house.clock.advance(by: .seconds(86_400))
            try await house.tidy()
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: Self.summary)
            #expect(mail.text.contains("3") && (4...6).allSatisfy { mail.text.contains("203.0.\($0).1\n") })
            #expect(!mail.text.contains("203.0.3.1"))
            try await house.tidy()
            #expect(try await house.waitingMails() == 0)
            #expect(await house.mailbox.count(to: "ada@example.com") == sent + 1)
        }
    }
}
