import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// A forgotten password in two steps: the code, then the new password.
@Suite(.timeLimit(.minutes(15)))
struct ResetStepsTests {
    private static let password = "staple horse battery correct"
    private static let wrong = "That code is wrong or has expired."

    private func asked(_ house: House, _ email: String = "ada@example.com") async throws -> (Browser, String) {
        let visitor = house.visitor()
        try await visitor.post("/reset", ["email": email])
        return (visitor, try await house.mailbox.code(for: "ada@example.com"))
    }

    private func choose(_ visitor: Browser, _ password: String = password) async throws -> Page {
        try await visitor.post("/reset/verify", ["password": password, "password_confirmation": password])
    }

    @Test func `the code comes first, then the password, and then the login knows the address`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let (visitor, code) = try await asked(house, "Ada@example.com")
            let first = try await visitor.get("/reset/verify")
            #expect(first.shows("Enter the code for \(Page.address("Ada@example.com")) below."))
            #expect(!first.shows("type=\"password\""))
            #expect(try await visitor.post("/reset/verify", ["code": code]).location == "/reset/verify")
            let second = try await visitor.get("/reset/verify")
            #expect(second.heading == "Choose a password" && !second.shows("name=\"code\""))
            #expect(second.shows("value=\"Ada@example.com\" autocomplete=\"username\""))
            #expect(try await choose(visitor).leads(to: "/login", saying: .passwordChanged))
            #expect(try await visitor.get("/login").shows("value=\"Ada@example.com\""))
            #expect(try await visitor.logIn(email: "ada@example.com", password: Self.password).status == .seeOther)
            #expect(await visitor.cookies["vestibule-typed"] == nil)
        }
    }

    @Test func `a reset clears cache and storage of a browser that is signed in`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            for (browser, clears) in [(member, "\"cache\", \"storage\""), (house.visitor(), nil)] {
                try await browser.post("/reset", ["email": "ada@example.com"])
                let code = try await house.mailbox.code(for: "ada@example.com")
                try await browser.post("/reset/verify", ["code": code])
                let page = try await choose(browser)
                #expect(page.leads(to: "/login", saying: .passwordChanged))
                let name = try #require(HTTPField.Name("Clear-Site-Data"))
                #expect(page.headers[name] == clears)
                #expect(await browser.cookies["vestibule-device"] != nil)
            }
        }
    }

    @Test func `who is signed in need not type the address again, unless it is another`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let page = try await member.get("/reset")
            #expect(page.shows("value=\"ada@example.com\""))
            #expect(page.headers[.cacheControl] == "no-store" && page.headers[.eTag] == nil)
            try await member.post("/reset", ["email": "other@example.com"])
            let again = try await member.get("/reset")
            #expect(again.shows("value=\"other@example.com\"") && !again.shows("ada@example.com"))
            let stranger = try await house.visitor().get("/reset")
            #expect(!stranger.shows("ada@example.com") && stranger.headers[.eTag] != nil)
        }
    }

    @Test func `a wrong digit stays to be mended, and the tries that are left are said`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let (visitor, code) = try await asked(house)
            let other = code == "000000" ? "000001" : "000000"
            let refused = try await visitor.post("/reset/verify", ["code": other])
            #expect(refused.status == .unprocessableContent && refused.shows(Self.wrong))
            #expect(refused.shows("name=\"code\" value=\"\(other)\"") && refused.shows("4\u{A0}tries left."))
            #expect(refused.heading == "Enter the code")
            #expect(try await visitor.get("/reset/verify").shows("4\u{A0}tries left."))
            #expect(try await visitor.post("/reset/verify", ["code": code]).location == "/reset/verify")
        }
    }

    @Test func `without the code there is no password to choose, and the code works once`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let (visitor, code) = try await asked(house)
            let early = try await choose(visitor)
            #expect(early.status == .unprocessableContent && early.shows("Enter the code from the email"))
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
            #expect(try await visitor.post("/reset/verify", ["code": code]).location == "/reset/verify")
            let flow = await visitor.cookies["vestibule-flow"] ?? ""
            #expect(try await choose(visitor).leads(to: "/login", saying: .passwordChanged))
            let again = house.visitor()
            await again.set("vestibule-flow", flow)
            #expect(try await choose(again).leads(to: "/reset", saying: .flowExpired))
        }
    }

    @Test func `twenty parallel choices after one code have one winner`() async throws {
        try await withHouse([.hashingQueue: "100"]) { house in
            _ = try await house.member("ada@example.com")
            let (visitor, code) = try await asked(house)
            try await visitor.post("/reset/verify", ["code": code])
            let flow = await visitor.cookies["vestibule-flow"] ?? ""
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let tab = house.visitor()
                        await tab.set("vestibule-flow", flow)
                        return try await choose(tab).leads(to: "/login", saying: .passwordChanged)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }

    @Test func `a proof lasts ten minutes, and another code brings it back`() async throws {
        // Limits go by the time of day.
        let settings: [Setting: String] = [.limitMail: "off", .limitVerify: "off", .limitReset: "off"]
        try await withHouse(settings) { house in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor(at: "198.51.100.7")
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            try await visitor.post("/reset/verify", ["code": code])
            // By the clock that codes live by, whatever the time of day is set to.
            house.clock.set(by: -3600)
            house.clock.advance(by: .seconds(601))
            #expect(try await choose(visitor).status == .unprocessableContent)
            #expect(try await visitor.get("/reset/verify").heading == "Check your email")
            try await visitor.post("/reset/resend", [:])
            // The new code does not stand for the old proof.
            #expect(try await choose(visitor).status == .unprocessableContent)
            let next = try await house.mailbox.code(for: "ada@example.com")
            try await visitor.post("/reset/verify", ["code": next])
            #expect(try await choose(visitor).leads(to: "/login", saying: .passwordChanged))
        }
    }

    @Test func `the proof belongs to the browser that gave it, not to others that know the handle`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let (visitor, code) = try await asked(house)
            let planted = await visitor.cookies["vestibule-flow"] ?? ""
            try await visitor.post("/reset/verify", ["code": code])
            let moved = await visitor.cookies["vestibule-flow"] ?? ""
            #expect(moved != planted)
            let stranger = house.visitor()
            await stranger.set("vestibule-flow", planted)
            #expect(try await choose(stranger).leads(to: "/reset", saying: .flowExpired))
            for handle in [planted, moved] {
                let body = ["flow": String(handle.dropFirst()), "code": "000000", "password": Self.password]
                #expect(try await house.app().call(.post, "password-reset/verify", body).code == "otp_incorrect")
            }
            #expect(try await choose(visitor).leads(to: "/login", saying: .passwordChanged))
        }
    }

    @Test func `a code that is sent twice leads on`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let (visitor, code) = try await asked(house)
            let handle = await visitor.cookies["vestibule-flow"] ?? ""
            try await visitor.post("/reset/verify", ["code": code])
            #expect(try await visitor.post("/reset/verify", ["code": code]).location == "/reset/verify")
            let racing = house.visitor()
            await racing.set("vestibule-flow", handle)
            #expect(try await racing.post("/reset/verify", ["code": code]).leads(to: "/reset", saying: .flowExpired))
            #expect(try await house.services.store.wrongCodes(now: house.clock.now) == 0)
        }
    }

    @Test func `the owner who changes the password ends what others have proved`() async throws {
        try await withHouse { house in
            let owner = try await house.member("ada@example.com")
            let (other, code) = try await asked(house)
            try await other.post("/reset/verify", ["code": code])
            let csrf = try await owner.get("/account/password").csrf ?? ""
            let new = "seven bridges over a violet tram"
            let change = [
                "csrf": csrf, "current_password": Browser.goodPassword, "password": new, "password_confirmation": new,
            ]
            #expect(try await owner.post("/account/password", change).location == "/account/security")
            #expect(try await choose(other).status == .unprocessableContent)
            #expect(try await house.visitor().logIn(email: "ada@example.com", password: new).status == .seeOther)
        }
    }

    @Test func `a password that is changed elsewhere ends the proof`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let (first, code) = try await asked(house)
            try await first.post("/reset/verify", ["code": code])
            let (second, other) = try await asked(house)
            try await second.post("/reset/verify", ["code": other])
            #expect(try await choose(second).leads(to: "/login", saying: .passwordChanged))
            #expect(try await choose(first, "seven bridges over a violet tram").status == .unprocessableContent)
            let login = try await second.logIn(email: "ada@example.com", password: Self.password)
            #expect(login.status == .seeOther)
        }
    }

    @Test func `a refused password keeps the proof, and a typed one is never shown again`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let (visitor, code) = try await asked(house)
            try await visitor.post("/reset/verify", ["code": code])
            for _ in 0..<7 {
                let weak = try await choose(visitor, "password")
                #expect(weak.status == .unprocessableContent && weak.heading == "Choose a password")
                #expect(!weak.shows("value=\"password\""))
            }
            #expect(try await choose(visitor).leads(to: "/login", saying: .passwordChanged))
        }
    }

    @Test func `an address without an account is refused in the same words, and proves nothing`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let (known, code) = try await asked(house)
            let unknown = house.visitor()
            try await unknown.post("/reset", ["email": "bob@example.com"])
            let wrong = code == "000000" ? "000001" : "000000"
            for _ in 0..<5 {
                let one = try await known.post("/reset/verify", ["code": wrong])
                let other = try await unknown.post("/reset/verify", ["code": wrong])
                #expect(one.status == other.status)
                #expect(one.body.replacing("ada@", with: "") == other.body.replacing("bob@", with: ""))
            }
        }
    }
}
