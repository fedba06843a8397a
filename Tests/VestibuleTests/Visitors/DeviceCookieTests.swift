import Crypto
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct DeviceCookieTests {
    @Test func `others' failures do not slow a browser that has signed in before`() async throws {
        try await withHouse { house in
            let owner = try await house.member("ada@example.com")
            try await owner.logOut()
            let attacker = house.visitor(at: "198.51.100.7")
            for _ in 0..<10 { try await attacker.logIn(email: "ada@example.com", password: "guess") }
            #expect(try await attacker.logIn(email: "ada@example.com", password: "guess").status == .tooManyRequests)
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .tooManyRequests)
            #expect(try await owner.logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    @Test func `the cookie names no account, is kept at sign-out and opens nothing`() async throws {
        try await withHouse { house in
            let owner = try await house.member("ada@example.com")
            try await owner.logOut()
            let cookie = await owner.cookies["vestibule-device"] ?? ""
            #expect(!cookie.isEmpty && !cookie.contains("ada"))
            #expect(try await !owner.isSignedIn())
        }
    }

    /// The owner's browser, which is signed out, and one with a copy of its cookie.
    private func copied(_ house: House) async throws -> (owner: Browser, thief: Browser) {
        let owner = try await house.member("ada@example.com")
        try await owner.logOut()
        let thief = house.visitor(at: "198.51.100.7")
        await thief.steal("vestibule-device", from: owner)
        return (owner, thief)
    }

    @Test func `who has a copy of the cookie keeps its owner from no sign-in and no reset`() async throws {
        try await withHouse { house in
            let (owner, thief) = try await copied(house)
            for _ in 0..<3 {
                #expect(try await thief.post("/reset", ["email": "ada@example.com"]).status == .seeOther)
            }
            for _ in 0..<10 { try await thief.logIn(email: "ada@example.com", password: "guess") }
            #expect(try await owner.post("/reset", ["email": "ada@example.com"]).location == "/reset/verify")
            #expect(try await owner.logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    @Test func `a copy of the cookie gives a guesser no more than twice the tries`() async throws {
        try await withHouse { house in
            let (owner, _) = try await copied(house)
            var tried = 0
            for number in 0..<30 {
                let thief = house.visitor(at: "198.51.100.\(number)")
                await thief.steal("vestibule-device", from: owner)
                let page = try await thief.logIn(email: "ada@example.com", password: "guess")
                if page.status != .tooManyRequests { tried += 1 }
            }
            #expect(tried == 20)
        }
    }

    @Test func `a browser whose own tries are used up stays known after a hundred failures`() async throws {
        try await withHouse([.limitLogin: "200/15m/address, 2/15m/device"]) { house in
            let (owner, thief) = try await copied(house)
            for _ in 0..<100 { try await thief.logIn(email: "ada@example.com", password: "guess") }
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .unprocessableContent)
            #expect(try await owner.logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    /// Ten wrong passwords from elsewhere, after which only a known browser may go on.
    private func flood(_ house: House) async throws {
        let attacker = house.visitor(at: "198.51.100.7")
        for _ in 0..<10 { try await attacker.logIn(email: "ada@example.com", password: "guess") }
        #expect(try await house.visitor().logIn(email: "ada@example.com").status == .tooManyRequests)
    }

    private func signIn(_ house: House, times: Int) async throws -> [Browser] {
        var browsers: [Browser] = []
        for _ in 0..<times {
            let browser = house.visitor()
            try await browser.logIn(email: "ada@example.com")
            browsers.append(browser)
        }
        return browsers
    }

    @Test func `a new password by mail forgets every browser but the one it was chosen in`() async throws {
        try await withHouse { house in
            let owner = try await house.member("ada@example.com")
            let thieves = try await signIn(house, times: 2)
            for _ in thieves { _ = try await house.mailbox.next(to: "ada@example.com") }
            house.clock.advance(by: .seconds(60))
            try await owner.logOut()
            try await owner.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            try await owner.post(
                "/reset/verify",
                ["code": code, "password": Self.newPassword, "password_confirmation": Self.newPassword])
            try await flood(house)
            for thief in thieves {
                #expect(try await thief.logIn(email: "ada@example.com", password: "guess").status == .tooManyRequests)
            }
            #expect(try await owner.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
        }
    }

    @Test func `a changed password forgets every other browser, and a thief's next sign-in is told of`() async throws {
        try await withHouse { house in
            let owner = try await house.member("ada@example.com")
            let thief = try await signIn(house, times: 1)[0]
            house.clock.advance(by: .seconds(60))
            let csrf = try await owner.get("/account/password").csrf ?? ""
            try await owner.post(
                "/account/password",
                [
                    "csrf": csrf, "current_password": Browser.goodPassword, "password": Self.newPassword,
                    "password_confirmation": Self.newPassword,
                ])
            try await thief.logIn(email: "ada@example.com", password: Self.newPassword)
            try await owner.logOut()
            try await owner.logIn(email: "ada@example.com", password: Self.newPassword)
            let kinds = try await house.events(of: "ada@example.com").map(\.kind)
            #expect(kinds.filter { $0 == .loginNewDevice }.count == 2)
            #expect(kinds.first == .login)
        }
    }

    private static let newPassword = "staple horse battery correct"

    @Test func `a cookie of another key or address is not believed`() async throws {
        let random = Randomness.system
        let now = Date(timeIntervalSince1970: 1_795_000_000.25)
        let email = "ada@example.com" as EmailAddress
        let other = "bob@example.com" as EmailAddress
        let cookie = DeviceCookie(from: random).adding(email, at: now, key: House.key)
        let presented = try #require(DeviceCookie(presented: cookie.text))
        #expect(presented.lastSignIn(to: email, key: House.key) == now)
        #expect(presented.lastSignIn(to: other, key: House.key) == nil)
        let foreign = SecretKey(current: SymmetricKey(size: .bits256))
        #expect(presented.lastSignIn(to: email, key: foreign) == nil)
        let last = cookie.text.last == "A" ? "B" : "A"
        #expect(DeviceCookie(presented: cookie.text.dropLast() + last)?.lastSignIn(to: email, key: House.key) == nil)
    }
}
