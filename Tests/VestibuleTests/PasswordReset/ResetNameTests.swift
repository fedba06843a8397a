import HTTPTypes
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// A password that is set with a code is judged with the account's name, once the code was right.
@Suite(.timeLimit(.minutes(15)))
struct ResetNameTests {
    private static let named = "lovelace-ada-lovelace"
    private static let good = "staple horse battery correct"
    private static let refusal = "This password is built from your name"

    private func choose(_ visitor: Browser, code: String? = nil, _ password: String) async throws -> Page {
        var fields = ["password": password, "password_confirmation": password]
        fields["code"] = code
        return try await visitor.post("/reset/verify", fields)
    }

    @Test(arguments: [false, true])
    func `a reset refuses a password made of the name, then takes another`(atOnce: Bool) async throws {
        try await withHouse { house in
            _ = try await house.member("reader@example.com")
            let visitor = house.visitor()
            try await visitor.post("/reset", ["email": "reader@example.com"])
            var code: String? = try await house.mailbox.code(for: "reader@example.com")
            if !atOnce {
                try await visitor.post("/reset/verify", ["code": code ?? ""])
                code = nil
            }
            // More often than a code may be tried.
            for _ in 1...6 {
                let refused = try await choose(visitor, code: code, Self.named)
                #expect(refused.status == .unprocessableContent && refused.shows(Self.refusal))
            }
            let other = try await choose(visitor, code: code, Self.good)
            #expect(other.leads(to: "/login", saying: .passwordChanged))
        }
    }

    @Test func `an app is told that a password is made of the name only after a right code`() async throws {
        try await withHouse { house in
            _ = try await house.appMember("reader@example.com")
            let app = house.app()
            for email in ["reader@example.com", "nobody@example.com"] {
                let asked = try await app.call(.post, "password-reset", ["email": email])
                let guess = ["flow": asked["flow"], "code": "000000", "password": Self.named]
                #expect(try await app.call(.post, "password-reset/verify", guess).code == "otp_incorrect")
            }
            let asked = try await app.call(.post, "password-reset", ["email": "reader@example.com"])
            _ = try await house.mailbox.code(for: "reader@example.com")
            let code = try await house.mailbox.code(for: "reader@example.com")
            var form = ["flow": asked["flow"], "code": code, "password": Self.named]
            let refused = try await app.call(.post, "password-reset/verify", form)
            #expect(refused.code == "validation_failed" && refused["errors.0.field"] == "password")
            form["password"] = Self.good
            #expect(try await app.call(.post, "password-reset/verify", form).status == .noContent)
        }
    }

    @Test func `an invited person cannot choose a password made of the name`() async throws {
        try await withHouse { house in
            _ = try await Administration(services: house.services)
                .invite("greta@example.com", name: "Greta Quillfeather", locale: "en")
            let mail = try await house.mailbox.next(to: "greta@example.com")
            let link = try #require(mail.text.firstMatch(of: /\/reset\/continue\?flow=[A-Za-z0-9_-]+/)?.output)
            let code = String(try #require(mail.text.firstMatch(of: /\b\d{6}\b/)?.output))
            let visitor = house.visitor()
            _ = try await visitor.open(String(link))
            try await visitor.post("/reset/continue", [:])
            let refused = try await choose(visitor, code: code, "greta quillfeather")
            #expect(refused.status == .unprocessableContent && refused.shows(Self.refusal))
            #expect(try await choose(visitor, code: code, Self.good).leads(to: "/login", saying: .passwordChanged))
        }
    }

    @Test func `taking an address back refuses a password made of the name`() async throws {
        try await withHouse { house in
            let thief = try await house.member("reader@example.com")
            try await thief.askForEmail("thief@example.net")
            try await thief.typeEmail(code: house.mailbox.code(for: "thief@example.net"))
            let mail = try await house.mailbox.next(
                to: "reader@example.com", subject: "Your email address was changed")
            let link = try #require(
                mail.text.firstMatch(of: /\/account\/email\/undo\?token=[A-Za-z0-9_-]+/)?.output)
            let owner = house.visitor()
            _ = try await owner.open(String(link))
            try await owner.askForUndoCode()
            let code = try await house.mailbox.code(
                for: "reader@example.com", subject: "Your code to take your account back")
            let refused = try await owner.undoEmail(code: code, password: Self.named)
            #expect(refused.status == .unprocessableContent && refused.shows(Self.refusal))
            let taken = try await owner.undoEmail(code: code, password: Self.good)
            #expect(taken.leads(to: "/login", saying: .emailRestored))
        }
    }
}
