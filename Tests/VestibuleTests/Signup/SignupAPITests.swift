import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct SignupAPITests {
    @Test func `an app signs up, proves the mailbox and is signed in for thirty days`() async throws {
        try await withHouse { house in
            let app = house.app()
            let asked = try await app.signUp("ada@example.com")
            #expect(asked.status == .accepted && asked["status"] == "verification_required")
            let code = try await house.mailbox.code(for: "ada@example.com")
            let wrong = try await app.call(.post, "sign-up/verify", ["flow": asked["flow"], "code": "000000x"])
            #expect(wrong.status == .unprocessableContent && wrong.code == "otp_incorrect")
            #expect(wrong["errors.0.field"] == "code" && wrong["detail"] == "That code is wrong or has expired.")
            let right = try await app.call(.post, "sign-up/verify", ["flow": asked["flow"], "code": code])
            #expect(right.status == .ok && right["user.email"] == "ada@example.com")
            #expect(right["user.name"] == "Ada Lovelace" && right["user.email_verified"] == "1")
            #expect(right["expires_at"] == house.clock.now.addingTimeInterval(30 * 86_400).formatted(.iso8601))
            #expect(try await app.isSignedIn())
            let again = try await app.call(.post, "sign-up/verify", ["flow": asked["flow"], "code": code])
            #expect(again.code == "otp_incorrect")
        }
    }

    @Test func `a taken address is told only to somebody who can read its mails`() async throws {
        try await withHouse { house in
            _ = try await house.appMember("ada@example.com")
            let stranger = house.app()
            let asked = try await stranger.signUp("ada@example.com", password: "staple horse battery")
            #expect(asked.status == .accepted && asked["status"] == "verification_required")
            let code = try await house.mailbox.code(for: "ada@example.com")
            let told = try await stranger.call(.post, "sign-up/verify", ["flow": asked["flow"], "code": code])
            #expect(told.status == .conflict && told.code == "duplicate_email")
            #expect(await stranger.token == nil)
        }
    }

    @Test func `every wrong member is named`() async throws {
        try await withHouse { house in
            let reply = try await house.app().call(
                .post, "sign-up", ["email": "nobody", "password": "password", "unknown": "ignored"])
            #expect(reply.status == .unprocessableContent && reply.code == "validation_failed")
            let errors = (0..<5).map { "\(reply["errors.\($0).field"] ?? "") \(reply["errors.\($0).code"] ?? "")" }
            #expect(errors == ["name missing", "email invalid", "password guessable", "terms missing", " "])
        }
    }

    @Test(arguments: ["\"accepted\"", "true", "false", "\"on\"", "1"])
    func `terms are accepted with a word or with true`(terms: String) async throws {
        try await withHouse([.verification: "off"]) { house in
            let body = """
                {"email": "ada@example.com", "password": "\(App.goodPassword)", "name": "Ada", "terms": \(terms)}
                """
            let json = ["Content-Type": "application/json; charset=UTF-8"]
            let reply = try await house.app().call(.post, "sign-up", raw: Array(body.utf8), headers: json)
            switch terms {
            case "\"accepted\"", "true": #expect(reply.status == .created && reply["token"] != nil)
            case "1": #expect(reply.status == .badRequest)
            default: #expect(reply.status == .unprocessableContent && reply["errors.0.field"] == "terms")
            }
        }
    }

    @Test func `nobody is asked to repeat a password`() async throws {
        try await withHouse { house in
            let reply = try await house.app().call(.post, "sign-up", [String: String]())
            #expect(reply.status == .unprocessableContent && !reply.body.contains("password_confirmation"))
            #expect(reply["errors.2.field"] == "password" && reply["errors.2.code"] == "missing")
        }
    }

    @Test func `without verification a taken address is a conflict`() async throws {
        try await withHouse([.verification: "off"]) { house in
            try await house.app().signUp("ada@example.com")
            let reply = try await house.app().signUp("ada@example.com")
            #expect(reply.status == .conflict && reply.code == "duplicate_email" && reply["errors.0.code"] == "taken")
        }
    }

    @Test func `a closed sign-up says so`() async throws {
        try await withHouse([.signup: "closed"]) { house in
            let reply = try await house.app().signUp("ada@example.com")
            #expect(reply.status == .forbidden && reply.code == "unavailable")
        }
    }

    @Test func `calls of a sign-up that was begun before the site was closed say so, too`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { earlier in
            let flow = try await earlier.app().signUp("ada@example.com")["flow"] ?? ""
            let code = try await earlier.mailbox.code(for: "ada@example.com")
            try await withHouse([.signup: "closed"], store: store) { house in
                let proof = try await house.app().call(.post, "sign-up/verify", ["flow": flow, "code": code])
                let again = try await house.app().call(.post, "sign-up/resend", ["flow": flow])
                for reply in [proof, again] { #expect(reply.status == .forbidden && reply.code == "unavailable") }
            }
        }
    }
}
