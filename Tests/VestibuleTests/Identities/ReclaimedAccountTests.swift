import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// Ways in through others that somebody added before the owner took the account (back).
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ReclaimedAccountTests {
    @Test func `an owner who takes an address back takes every other way in away`() async throws {
        try await withProviders { house, _ in
            let thief = try await house.member("ada@example.com")
            try await thief.comeFromExample(.init(sub: "thief", email: "t@example.net"), path: thief.linkToAddExample())
            try await thief.askForEmail("thief@example.net")
            try await thief.typeEmail(code: house.mailbox.code(for: "thief@example.net"))
            let mail = try await house.mailbox.next(
                to: "ada@example.com", subject: "Your email address was changed")
            let link = mail.text.firstMatch(of: /\/account\/email\/undo\?token=[A-Za-z0-9_-]+/)
            let owner = house.visitor()
            _ = try await owner.open(String(try #require(link?.output)))
            try await owner.askForUndoCode()
            let code = try await house.mailbox.code(
                for: "ada@example.com", subject: "Your code to take your account back")
            #expect(
                try await owner.undoEmail(code: code, password: "a tram over nine").leads(
                    to: "/login", saying: .emailRestored))
            let back = try await thief.comeFromExample(.init(sub: "thief", email: "t@example.net"))
            #expect(back.location == "/auth/continue")
            let restored = try await house.mailbox.next(
                to: "ada@example.com", subject: "Your email address is restored")
            #expect(restored.text.contains("Sign-in with "))
        }
    }

    @Test func `the first reset of an account nobody had proved leaves no way in that was added before`() async throws {
        let standIn = try await ProviderStandIn.shared.value
        try await withHouse([.verification: "off"], clock: TestClock(Date()), environment: standIn.example) { house in
            let thief = house.visitor()
            try await thief.signUp(email: "ada@example.com")
            try await thief.comeFromExample(.init(sub: "early", email: "t@example.net"), path: thief.linkToAddExample())
            let owner = house.visitor()
            try await owner.post("/reset", ["email": "ada@example.com"])
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your code for a new password")
            let code = String(try #require(mail.text.firstMatch(of: /\b\d{6}\b/)?.output))
            let fields = ["code": code, "password": "a tram over nine", "password_confirmation": "a tram over nine"]
            #expect(try await owner.post("/reset/verify", fields).status == .seeOther)
            #expect(try await owner.get("/login").shows("Every other way to sign in was removed"))
            let back = try await thief.comeFromExample(.init(sub: "early", email: "t@example.net"))
            #expect(back.location == "/auth/continue")
        }
    }
}
