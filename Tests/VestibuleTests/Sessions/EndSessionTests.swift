import HTTPTypes
import Testing
import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct EndSessionTests {
    private func ids(_ page: Page) -> [String] {
        page.body.matches(of: /\/account\/sessions\/([^\/]+)\/end/).map { String($0.output.1) }
    }

    @Test func `one session or all others can be ended from the account page`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let others = [house.visitor(), house.visitor()]
            for other in others { try await other.logIn(email: "ada@example.com") }
            let page = try await member.get("/account")
            let csrf = try #require(page.csrf)
            #expect(ids(page).count == 2)
            let one = try await member.post("/account/sessions/\(ids(page)[0])/end", ["csrf": csrf])
            #expect(one.location == "/account?notice=session-ended")
            #expect(try await ids(member.get("/account")).count == 1)
            try await member.post("/account/sessions/end-others", ["csrf": csrf])
            #expect(try await ids(member.get("/account")).isEmpty)
            for other in others { #expect(try await !other.isSignedIn()) }
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `somebody else's session is 404, and ending needs the form token`() async throws {
        try await withHouse { house in
            let ada = try await house.member("ada@example.com")
            let bob = try await house.member("bob@example.com")
            try await house.visitor().logIn(email: "bob@example.com")
            let foreign = try await ids(bob.get("/account"))
            let csrf = try await ada.get("/account").csrf ?? ""
            let path = "/account/sessions/\(try #require(foreign.first))/end"
            #expect(try await ada.post(path, ["csrf": csrf]).status == .notFound)
            #expect(try await bob.post(path, [:]).status == .forbidden)
            #expect(try await ids(bob.get("/account")) == foreign)
        }
    }
}
