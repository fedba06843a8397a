import HTTPTypes
import Testing
import Vestibule

@Suite(.timeLimit(.minutes(3)))
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

    @Test func `a cookie of another key or address is not believed`() async throws {
        let random = Randomness.system
        let email = try #require(EmailAddress("ada@example.com"))
        let other = try #require(EmailAddress("bob@example.com"))
        let cookie = DeviceCookie(from: random).adding(email, key: House.key)
        let presented = try #require(DeviceCookie(presented: cookie.text))
        #expect(presented.knows(email, key: House.key))
        #expect(!presented.knows(other, key: House.key))
        let last = cookie.text.last == "A" ? "B" : "A"
        #expect(DeviceCookie(presented: cookie.text.dropLast() + last)?.knows(email, key: House.key) != true)
    }
}
