import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct UserAPITests {
    @Test func `the name can be changed, and nothing else by PATCH`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let reply = try await app.call(.patch, "user", ["name": " Countess ", "email": "eve@example.com"])
            #expect(reply.status == .ok && reply["user.name"] == "Countess")
            #expect(try await app.call(.get, "user").body == reply.body && reply["user.email"] == "ada@example.com")
            let refused = try await app.call(.patch, "user", ["name": " "])
            #expect(refused.code == "validation_failed" && refused["errors.0.field"] == "name")
            #expect(try await app.call(.patch, "user", [String: String]()).body == reply.body)
        }
    }

    @Test func `the domain of an address is answered in ASCII, as mails have it`() async throws {
        try await withHouse { house in
            let app = house.app()
            let flow = try await app.signUp("ada@bücher.example")["flow"] ?? ""
            let code = try await house.mailbox.code(for: "ada@xn--bcher-kva.example")
            #expect(try await app.call(.post, "sign-up/verify", ["flow": flow, "code": code]).status == .ok)
            #expect(try await app.call(.get, "user")["user.email"] == "ada@xn--bcher-kva.example")
            let export = try await app.call(.post, "user/export")
            #expect(export.body.contains("ada@bücher.example"))
        }
    }

    @Test func `a new password needs the current one, ends other sessions and renews the token`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let other = house.app()
            try await other.signIn("ada@example.com")
            let new = ["password": "staple horse battery"]
            let without = try await app.call(.post, "user/password", new)
            #expect(without.status == .forbidden && without.code == "reauthentication_required")
            let wrong = try await app.call(.post, "user/password", new.merging(["current_password": "no"]) { $1 })
            #expect(wrong.status == .unprocessableContent && wrong.code == "invalid_credentials")
            #expect(wrong["errors.0.field"] == "current_password" && wrong["errors.0.code"] == "incorrect")
            let before = await app.token
            let form = new.merging(["current_password": App.goodPassword]) { $1 }
            #expect(try await app.call(.post, "user/password", form).status == .ok)
            #expect(try await app.isSignedIn())
            #expect(try await !house.app(token: before).isSignedIn())
            #expect(try await !other.isSignedIn())
        }
    }

    @Test func `a new address needs the password and a code from its mailbox`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            _ = try await house.appMember("eve@example.com")
            let without = try await app.call(.post, "user/email", ["email": "new@example.com"])
            #expect(without.code == "reauthentication_required")
            let same = ["email": "ada@example.com", "current_password": App.goodPassword]
            #expect(try await app.call(.post, "user/email", same)["errors.0.code"] == "unchanged")
            for address in ["eve@example.com", "new@example.com"] {
                let form = ["email": address, "current_password": App.goodPassword]
                let asked = try await app.call(.post, "user/email", form)
                #expect(asked.status == .accepted)
                let code = try await house.mailbox.code(for: address)
                let proof = ["flow": asked["flow"], "code": code]
                let foreign = try await house.appMember("stranger-\(address)").call(.post, "user/email/verify", proof)
                #expect(foreign.code == "otp_incorrect")
                let reply = try await app.call(.post, "user/email/verify", proof)
                #expect(reply.status == (address == "new@example.com" ? .ok : .conflict))
            }
            #expect(try await app.call(.get, "user")["user.email"] == "new@example.com")
        }
    }

    @Test func `an account is deleted with its password, and the address is free again`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            #expect(try await app.call(.delete, "user", [String: String]()).code == "reauthentication_required")
            let wrong = try await app.call(.delete, "user", ["current_password": "wrong"])
            #expect(wrong.code == "invalid_credentials")
            let right = try await app.call(.delete, "user", ["current_password": App.goodPassword])
            #expect(right.status == .noContent)
            #expect(try await !app.isSignedIn())
            #expect(try await app.signIn("ada@example.com").status == .unauthorized)
        }
    }
}
