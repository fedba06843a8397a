import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct SessionTests {
    @Test func `the hundred and first session of an account ends the one seen least lately`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let first = try await house.member("ada@example.com")
            house.clock.advance(by: .seconds(1))
            let second = house.visitor()
            try await second.logIn(email: "ada@example.com")
            for number in 0..<98 {
                house.clock.advance(by: .seconds(1))
                if number.isMultiple(of: 2) {
                    #expect(try await house.app().signIn("ada@example.com").status == .ok)
                } else {
                    #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
                }
            }
            // Used again, the first one is not the oldest any more.
            #expect(try await first.isSignedIn())
            let last = house.visitor()
            try await last.logIn(email: "ada@example.com")
            #expect(try await last.isSignedIn())
            #expect(try await first.isSignedIn())
            #expect(try await !second.isSignedIn())
            let account = try await house.services.store.account(
                .address("ada@example.com" as EmailAddress))
            let id = try #require(account?.account.id)
            #expect(try await house.services.store.sessions(accountID: id, now: house.clock.now).count == 100)
        }
    }

    @Test func `a sign-out ends the session, also when a new token takes the place of its own meanwhile`() async throws
    {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let account = try await house.services.store.loginRecord(emailKey: "ada@example.com", failuresKey: [])
                .account
            let id = try #require(account?.id)
            let session = try #require(
                try await house.services.store.sessions(accountID: id, now: house.clock.now).first)
            let record = SessionRecord(
                session: session, account: try #require(account),
                token: Token(from: .system).digest)
            var key = Authenticator(number: 1)
            try await member.add(&key)
            #expect(try await member.isSignedIn())
            try await Sessions(services: house.services).signOut(record, visitor: .unknown)
            #expect(try await !member.isSignedIn())
        }
    }

    @Test func `logging out ends the session in the store`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let saved = await member.cookies["vestibule"] ?? ""
            let answer = try await member.logOut()
            #expect(answer.headers[values: .setCookie].contains { $0.hasPrefix("vestibule=;") })
            let thief = house.visitor()
            await thief.set("vestibule", saved)
            #expect(try await !thief.isSignedIn())
        }
    }

    @Test func `a new token at every sign-in, and the old one is dead`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let first = await member.cookies["vestibule"] ?? ""
            try await member.logIn(email: "ada@example.com")
            let second = await member.cookies["vestibule"] ?? ""
            #expect(first != second && second.utf8.count == 43)
            let thief = house.visitor()
            await thief.set("vestibule", first)
            #expect(try await !thief.isSignedIn())
        }
    }

    @Test func `an idle session ends after twelve hours, a used one after twenty-four`() async throws {
        try await withHouse { house in
            let idle = try await house.member("ada@example.com")
            let used = house.visitor()
            try await used.logIn(email: "ada@example.com")
            for _ in 0..<3 {
                house.clock.advance(by: .seconds(7 * 3600))
                #expect(try await used.isSignedIn())
            }
            #expect(try await !idle.isSignedIn())
            house.clock.advance(by: .seconds(3 * 3600 + 1))
            #expect(try await !used.isSignedIn())
        }
    }

    @Test func `a used session outlives an idle time of a minute`() async throws {
        try await withHouse([.sessionIdle: "1m"]) { house in
            let member = try await house.member("ada@example.com")
            for _ in 0..<5 {
                house.clock.advance(by: .seconds(40))
                #expect(try await member.isSignedIn())
            }
            house.clock.advance(by: .seconds(61))
            #expect(try await !member.isSignedIn())
        }
    }

    @Test func `a session of days ahead, from before the clock was set back, opens nothing`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            house.clock.advance(by: .seconds(-86_000))
            #expect(try await member.isSignedIn())
            house.clock.advance(by: .seconds(-1000))
            #expect(try await !member.isSignedIn())
        }
    }

    @Test func `a form of an earlier session is no attack where the browser says that a page of ours sent it`()
        async throws
    {
        try await withHouse { house in
            let ada = try await house.member("ada@example.com")
            let fields = ["csrf": try await ada.get("/account").csrf ?? "", "display_name": "Countess"]
            try await ada.logOut()
            try await ada.logIn(email: "ada@example.com")
            let again = try await ada.post("/account/profile", fields, headers: ["Sec-Fetch-Site": "same-origin"])
            #expect(again.status == .unprocessableContent && again.shows("Countess"))
            #expect(house.logs.lines(of: "malicious_csrf").isEmpty)
            // Without the browser's word it may be.
            _ = try await ada.post("/account/profile", fields)
            #expect(house.logs.lines(of: "malicious_csrf").count == 1)
        }
    }

    @Test func `keep me signed in lasts fourteen idle days and thirty in all`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let used = house.visitor()
            let answer = try await used.logIn(email: "ada@example.com", remember: true)
            #expect(answer.headers[values: .setCookie].contains { $0.contains("Max-Age=2592000") })
            for _ in 0..<2 {
                house.clock.advance(by: .seconds(13 * 86_400))
                #expect(try await used.isSignedIn())
            }
            house.clock.advance(by: .seconds(5 * 86_400))
            #expect(try await !used.isSignedIn())
        }
    }

    @Test func `keep me signed in ends after fourteen days without use`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let (early, late) = (house.visitor(), house.visitor())
            for visitor in [early, late] { try await visitor.logIn(email: "ada@example.com", remember: true) }
            house.clock.advance(by: .seconds(14 * 86_400 - 1))
            #expect(try await early.isSignedIn())
            house.clock.advance(by: .seconds(1))
            #expect(try await !late.isSignedIn())
        }
    }

    @Test func `an invented or damaged token is a stranger's`() async throws {
        try await withHouse { house in
            for token in ["", "x", String(repeating: "A", count: 43), "' OR 1=1 --", String(repeating: "é", count: 40)]
            {
                let visitor = house.visitor()
                await visitor.set("vestibule", token)
                let page = try await visitor.get("/account")
                #expect(page.location == "/login?return_to=/account")
            }
        }
    }

    @Test func `a form of a signed-in page needs the token of its own session`() async throws {
        try await withHouse { house in
            let ada = try await house.member("ada@example.com")
            let bob = try await house.member("bob@example.com")
            let foreign = try await bob.get("/account").csrf ?? ""
            #expect(try await ada.post("/logout", ["csrf": foreign]).status == .forbidden)
            #expect(try await ada.post("/logout", [:]).status == .forbidden)
            #expect(try await ada.isSignedIn())
            #expect(house.logs.lines(of: "malicious_csrf").count == 2)
        }
    }

    @Test func `signing in again in a second tab goes on with the session, and ends its token`() async throws {
        try await withHouse { house in
            let ada = try await house.member("ada@example.com")
            let form = ["csrf": try await ada.get("/account").csrf ?? "", "display_name": "Countess"]
            let copy = house.visitor()
            await copy.steal("vestibule", from: ada)
            try await ada.logIn(email: "ada@example.com")
            #expect(try await ada.post("/account/profile", form).status == .seeOther)
            #expect(try await !copy.isSignedIn())
            #expect(try await house.events(of: "ada@example.com").map(\.kind).contains(.login))
        }
    }

    @Test(arguments: [["Sec-Fetch-Site": "same-origin"], ["Origin": "http://localhost:8080"]])
    func `a tab from before the last sign-in signs out too`(headers: [String: String]) async throws {
        try await withHouse { house in
            let ada = try await house.member("ada@example.com")
            let old = try await ada.get("/account").csrf ?? ""
            try await ada.logOut()
            try await ada.logIn(email: "ada@example.com")
            #expect(try await ada.post("/logout", ["csrf": old], headers: headers).leads(to: "/", saying: .signedOut))
            #expect(try await !ada.isSignedIn())
            #expect(house.logs.lines(of: "session_logout").count == 2)
        }
    }

    @Test(arguments: [["Sec-Fetch-Site": "none"], ["Sec-Fetch-Site": "cross-site"], ["Origin": "null"], [:]])
    func `without the browser's word, signing out needs the token`(headers: [String: String]) async throws {
        try await withHouse { house in
            let ada = try await house.member("ada@example.com")
            let old = try await ada.get("/account").csrf ?? ""
            try await ada.logOut()
            try await ada.logIn(email: "ada@example.com")
            #expect(try await ada.post("/logout", ["csrf": old], headers: headers).status == .forbidden)
            #expect(try await ada.isSignedIn())
        }
    }

    @Test func `the cookie is __Host-, Secure, HttpOnly and Lax on https`() async throws {
        try await withHouse([.publicURL: "https://login.example.com", .devExpose: "on", .verification: "off"]) {
            house in
            let answer = try await house.visitor().signUp(email: "ada@example.com")
            let cookies = answer.headers[values: .setCookie]
            #expect(cookies.count == 3)
            for cookie in cookies {
                #expect(cookie.hasPrefix("__Host-vestibule"))
                for part in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] { #expect(cookie.contains(part)) }
                #expect(!cookie.contains("Domain"))
            }
        }
    }

    @Test func `signed-in visitors pass the front pages by`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            for path in ["/", "/login", "/signup"] {
                let page = try await member.get(path)
                #expect(page.location == "/account")
            }
        }
    }
}
