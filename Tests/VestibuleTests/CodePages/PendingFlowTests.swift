import HTTPTypes
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// Flows that wait for a code: each goes on whatever else happens.
@Suite(.timeLimit(.minutes(15)))
struct PendingFlowTests {
    private static let pages = ["/signup/verify", "/reset/verify"]

    /// Somebody who has begun a sign-up and a reset with that address.
    private func stranger(_ house: House, email: String) async throws -> Browser {
        let stranger = house.visitor()
        try await stranger.signUp(email: email)
        try await stranger.post("/reset", ["email": email])
        return stranger
    }

    private func answers(_ visitor: Browser) async throws -> [HTTPResponse.Status] {
        var answers: [HTTPResponse.Status] = []
        for page in Self.pages { answers.append(try await visitor.get(page).status) }
        return answers
    }

    @Test func `one flow does not end another of the same browser`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            try await member.askForEmail("new@example.com")
            let emailCode = try await house.mailbox.code(for: "new@example.com")
            try await member.post("/reset", ["email": "bob@example.com"])
            // Going back after the end of a flow leads home.
            let back = try await member.get("/signup/verify")
            #expect(back.location == "/account" && back.flash == nil)
            #expect(try await member.get("/reset/verify").status == .ok)
            #expect(try await member.typeEmail(code: emailCode).leads(to: "/account", saying: .emailChanged))
            #expect(try await member.get("/reset/verify").status == .ok)
            let over = try await member.get("/account/email/verify")
            #expect(over.location == "/account" && over.flash == nil)
            #expect(try await member.get("/reset/verify").status == .ok)
        }
    }

    @Test func `a stranger's flows go on when an owner signs up, changes the address, or leaves`() async throws {
        try await withHouse([.limitMail: "off"]) { house in
            let flows = [
                try await stranger(house, email: "ghost@example.com"),
                try await stranger(house, email: "ada@example.com"),
                try await stranger(house, email: "new@example.com"),
            ]
            // The stranger's code, which the owner does not need.
            _ = try await house.mailbox.code(for: "ada@example.com")
            let owner = try await house.member("ada@example.com")
            for flow in flows { #expect(try await answers(flow) == [.ok, .ok]) }
            try await owner.askForEmail("new@example.com")
            let mail = try await house.mailbox.next(
                to: "new@example.com", subject: "Your code for the new email address")
            let code = mail.text.firstMatch(of: /\b\d{6}\b/).map { String($0.output) } ?? ""
            #expect(try await owner.typeEmail(code: code).leads(to: "/account", saying: .emailChanged))
            for flow in flows { #expect(try await answers(flow) == [.ok, .ok]) }
            let csrf = try await owner.get("/account/delete").csrf ?? ""
            let fields = ["csrf": csrf, "current_password": Browser.goodPassword, "confirm": "delete"]
            #expect(try await owner.post("/account/delete", fields).leads(to: "/", saying: .accountDeleted))
            for flow in flows { #expect(try await answers(flow) == [.ok, .ok]) }
        }
    }

    @Test func `a reset ends the session of somebody else who was signed in here`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let bob = try await house.member("bob@example.com")
            let token = await bob.cookies["vestibule"] ?? ""
            try await bob.post("/reset", ["email": "ada@example.com"])
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your code for a new password")
            let code = mail.text.firstMatch(of: /\b\d{6}\b/).map { String($0.output) } ?? ""
            let new = "seven bridges over a violet tram"
            let done = try await bob.post(
                "/reset/verify", ["code": code, "password": new, "password_confirmation": new])
            #expect(done.leads(to: "/login", saying: .passwordChanged))
            let saved = house.visitor()
            await saved.set("vestibule", token)
            #expect(try await !saved.isSignedIn())
        }
    }
}
