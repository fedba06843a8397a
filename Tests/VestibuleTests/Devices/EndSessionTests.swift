import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

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
            let page = try await member.get("/account/devices")
            let csrf = try #require(page.csrf)
            #expect(ids(page).count == 2)
            let one = try await member.post("/account/sessions/\(ids(page)[0])/end", ["csrf": csrf])
            #expect(one.leads(to: "/account/devices", saying: .sessionEnded))
            #expect(try await ids(member.get("/account/devices")).count == 1)
            // A thief who works with a copy of this session's cookie.
            let copy = house.visitor()
            await copy.steal("vestibule", from: member)
            let all = try await member.post("/account/sessions/end-others", ["csrf": csrf])
            #expect(all.leads(to: "/account/devices", saying: .sessionsEnded))
            #expect(try await !copy.isSignedIn())
            #expect(try await ids(member.get("/account/devices")).isEmpty)
            for other in others { #expect(try await !other.isSignedIn()) }
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `an old proof is asked for again, and what was asked for goes on`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let others = [house.visitor(), house.visitor(), house.visitor()]
            for other in others { try await other.logIn(email: "ada@example.com") }
            house.clock.advance(by: .seconds(600))
            let page = try await member.get("/account/devices")
            var fields = ["csrf": try #require(page.csrf)]
            for path in ["/account/sessions/\(ids(page)[0])/end", "/account/sessions/end-others"] {
                fields["current_password"] = nil
                let question = try await member.post(path, fields)
                #expect(question.status == .ok && question.heading == "Confirm it&#39;s you")
                #expect(question.shows("action=\"\(path)\""))
                fields["current_password"] = "wrong"
                #expect(try await member.post(path, fields).status == .unprocessableContent)
                #expect(try await ids(member.get("/account/devices")).count == 3)
                #expect(try await member.get(path).location == "/account/devices")
            }
            fields["current_password"] = Browser.goodPassword
            let before = await member.cookies["vestibule"]
            let ended = try await member.post("/account/sessions/\(ids(page)[0])/end", fields)
            #expect(ended.leads(to: "/account/devices", saying: .sessionEnded))
            #expect(await member.cookies["vestibule"] != before)
            #expect(try await ids(member.get("/account/devices")).count == 2)
            // The proof counts for what comes next.
            try await member.post("/account/sessions/end-others", ["csrf": fields["csrf"] ?? ""])
            #expect(try await ids(member.get("/account/devices")).isEmpty)
        }
    }

    @Test func `a right proof for what is gone meanwhile signs nobody out`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let other = house.visitor()
            try await other.logIn(email: "ada@example.com")
            house.clock.advance(by: .seconds(600))
            let page = try await member.get("/account/devices")
            try await other.logOut()
            let fields = ["csrf": try #require(page.csrf), "current_password": Browser.goodPassword]
            let missing = try await member.post("/account/sessions/\(ids(page)[0])/end", fields)
            #expect(missing.leads(to: "/account/devices", saying: .goneAlready))
            #expect(try await member.get("/account/devices").shows("already gone."))
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `leaving needs no proof, however old the session is`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let other = house.visitor()
            try await other.logIn(email: "ada@example.com")
            house.clock.advance(by: .seconds(3600))
            let own = try await ids(member.get("/account/devices")).first ?? ""
            let csrf = try await other.get("/account").csrf ?? ""
            #expect(try await other.post("/account/sessions/\(own)/end", ["csrf": csrf]).location != nil)
            #expect(try await !other.isSignedIn())
            #expect(try await member.logOut().location == "/")
            #expect(try await !member.isSignedIn())
        }
    }

    @Test func `somebody else's session is answered like none, and ending needs the form token`() async throws {
        try await withHouse { house in
            let ada = try await house.member("ada@example.com")
            let bob = try await house.member("bob@example.com")
            try await house.visitor().logIn(email: "bob@example.com")
            let foreign = try await ids(bob.get("/account/devices"))
            let csrf = try await ada.get("/account").csrf ?? ""
            let path = "/account/sessions/\(try #require(foreign.first))/end"
            for path in [path, "/account/sessions/none/end"] {
                let missing = try await ada.post(path, ["csrf": csrf])
                #expect(missing.leads(to: "/account/devices", saying: .goneAlready))
            }
            #expect(try await bob.post(path, [:]).status == .forbidden)
            #expect(try await ids(bob.get("/account/devices")) == foreign)
        }
    }

    @Test func `where nobody else is signed in, to sign out others leaves no trace`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            for others in [true, false] {
                if others { try await house.visitor().logIn(email: "ada@example.com") }
                let csrf = try await member.get("/account/devices").csrf ?? ""
                #expect(try await member.post("/account/sessions/end-others", ["csrf": csrf]).status == .seeOther)
            }
            #expect(try await house.events(of: "ada@example.com").count { $0.kind == .sessionEnded } == 1)
            #expect(house.logs.lines(of: "authn_token_revoked").count == 1)
        }
    }
}
