import HTTPTypes
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct SignedOutTests {
    private static let over = "You have been signed out. Please sign in again."

    @Test(arguments: [true, false])
    func `a visitor with a session that has ended is told so, and led back`(isForm: Bool) async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            house.clock.advance(by: .seconds(13 * 3600))
            let path = isForm ? "/account/profile" : "/account/devices"
            let led = try await isForm ? member.post(path, ["display_name": "Ada"]) : member.get(path)
            #expect(led.location == "/login?return_to=\(isForm ? "/account" : path)")
            let login = try await member.get(led.location ?? "")
            #expect(login.notice == Self.over && login.title == "Please note: Sign in · Vestibule")
            #expect(login.shows(#"name="return_to" value="\#(isForm ? "/account" : path)""#))
            #expect(login.headers[.cacheControl] == "no-store")
            #expect(await member.cookies["vestibule"] == nil)
            #expect(try await member.get("/login").notice == nil)
        }
    }

    @Test func `strangers and those who signed out themselves are told nothing of it`() async throws {
        try await withHouse { house in
            let stranger = house.visitor()
            let led = try await stranger.get("/account")
            #expect(led.headers[values: .setCookie].isEmpty)
            #expect(try await stranger.get(led.location ?? "").notice == nil)
            let member = try await house.member("ada@example.com")
            #expect(try await member.logOut().leads(to: "/", saying: .signedOut))
            #expect(try await member.get("/").notice == "You&#39;re signed out.")
            #expect(try await member.get("/").notice == nil)
            #expect(try await member.get("/login").notice == nil)
            #expect(try await member.post("/logout", [:]).headers[values: .setCookie].count == 1)
        }
    }

    @Test func `who signs out leaves nothing of another way in to the next person at the browser`() async throws {
        try await withProviders { house, _ in
            _ = try await house.member("ada@example.com")
            let member = house.visitor()
            #expect(try await member.comeFromExample().location == "/auth/continue")
            try await member.logIn(email: "ada@example.com")
            try await member.askForEmail("new@example.com")
            try await member.typeEmail(code: house.mailbox.code(for: "new@example.com"))
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your email address was changed")
            let link = mail.text.firstMatch(of: /\/account\/email\/undo\?token=[A-Za-z0-9_-]+/)
            _ = try await member.open(String(try #require(link).output))
            let left = ["vestibule-auth-pending", "vestibule-link"]
            for name in left { #expect(await member.cookies[name] != nil, "\(name)") }
            try await member.logOut()
            for name in left { #expect(await member.cookies[name] == nil, "\(name)") }
        }
    }
}
