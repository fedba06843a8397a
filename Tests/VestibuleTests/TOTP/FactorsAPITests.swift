import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct FactorsAPITests {
    private let email = "ada@example.com"

    /// The app of somebody who has added an authenticator app by it.
    private func appMember(_ house: House) async throws -> (app: App, authenticator: AuthenticatorApp) {
        let app = try await house.appMember(email)
        let begun = try await app.call(.post, "factors/totp")
        let authenticator = try AuthenticatorApp(typing: try #require(begun["key"]))
        let code = authenticator.code(at: house.clock.now)
        let done = try await app.call(
            .post, "factors/totp/confirm", ["setup": begun["setup"] ?? "", "code": code])
        try #require(done.status == .ok)
        return (app, authenticator)
    }

    @Test func `an authenticator app is added, listed and removed`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(email)
            let empty = try await app.call(.get, "factors")
            #expect(empty["second_step"] == "0" && empty["totp.created_at"] == nil)
            let begun = try await app.call(.post, "factors/totp")
            let key = try #require(begun["key"])
            #expect(begun["uri"]?.contains("secret=\(key)&") == true)
            let wrong = try await app.call(
                .post, "factors/totp/confirm", ["setup": begun["setup"] ?? "", "code": "000000"])
            #expect(wrong.status == .unprocessableContent && wrong.code == "otp_incorrect")
            let before = await app.token
            let code = try AuthenticatorApp(typing: key).code(at: house.clock.now)
            let body = ["setup": begun["setup"] ?? "", "code": code]
            #expect(try await app.call(.post, "factors/totp/confirm", body).status == .ok)
            #expect(await app.token != before)
            let listed = try await app.call(.get, "factors")
            #expect(listed["second_step"] == "1" && listed["totp.created_at"] != nil)
            #expect(!listed.body.contains(key))
            #expect(try await app.call(.delete, "factors/totp").status == .ok)
            #expect(try await app.call(.delete, "factors/totp").status == .notFound)
            #expect(try await app.call(.get, "factors")["second_step"] == "0")
        }
    }

    @Test func `the same code and form add an app once, also at once`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(email)
            let begun = try await app.call(.post, "factors/totp")
            let code = try AuthenticatorApp(typing: try #require(begun["key"])).code(at: house.clock.now)
            let body = ["setup": begun["setup"] ?? "", "code": code]
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<4 { group.addTask { try await app.call(.post, "factors/totp/confirm", body).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == .ok } == 1)
            #expect(try await app.call(.post, "factors/totp/confirm", body).code == "otp_incorrect")
            #expect(try await house.events(of: email).count { $0.kind == .totpAdded } == 1)
        }
    }

    @Test func `a proof of before the clock was set back is none`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(email)
            #expect(try await app.call(.post, "factors/totp").status == .ok)
            house.clock.advance(by: .seconds(-61))
            #expect(try await app.call(.post, "factors/totp").code == "reauthentication_required")
        }
    }

    @Test func `the list is as docs show it, byte for byte`() async throws {
        try await withHouse { house in
            let (app, _) = try await appMember(house)
            _ = try await app.call(.post, "factors/recovery-codes")
            let made = "\"created_at\":\"\(house.clock.now.formatted(.iso8601))\""
            #expect(
                try await app.call(.get, "factors").body
                    == "{\"passkeys\":[],\"recovery_codes\":{\(made),\"left\":10},\"second_step\":true,\"totp\":{\(made)}}"
            )
        }
    }

    @Test func `a sign-in asks for a code, and a recovery code does as well`() async throws {
        try await withHouse { house in
            let (app, authenticator) = try await appMember(house)
            let made = try await app.call(.post, "factors/recovery-codes")
            let code = try #require(made["codes.9"])
            #expect(made.status == .ok && made["codes.10"] == nil && made["user.email"] == email)
            house.clock.advance(by: .seconds(30))
            for (number, code) in [authenticator.code(at: house.clock.now), code].enumerated() {
                let other = house.app(at: "192.0.2.\(80 + number)")
                let first = try await other.signIn(email)
                #expect(first.status == .forbidden && first.code == "second_factor_required")
                let second = try await other.call(
                    .post, "sign-in/second", ["flow": first["flow"] ?? "", "code": code])
                #expect(second.status == .ok && second["user.email"] == email)
            }
            #expect(try await app.call(.get, "factors")["recovery_codes.left"] == "9")
        }
    }

    @Test func `a first app takes a recent sign-in or the password`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(email)
            house.clock.advance(by: .seconds(601))
            for path in ["factors/totp", "factors/totp/confirm"] {
                let body = ["setup": "x", "code": "123456"]
                #expect(try await app.call(.post, path, body).code == "reauthentication_required")
                let wrong = try await app.call(.post, path, body.merging(["current_password": "wrong"]) { $1 })
                #expect(wrong.status == .unprocessableContent && wrong.code == "invalid_credentials", "\(path)")
            }
            let begun = try await app.call(.post, "factors/totp", ["current_password": App.goodPassword])
            #expect(begun.status == .ok && begun["key"] != nil)
        }
    }

    @Test func `with an app every change takes a code of it`() async throws {
        try await withHouse { house in
            let (app, authenticator) = try await appMember(house)
            house.clock.advance(by: .seconds(601))
            let calls: [(HTTPRequest.Method, String)] = [
                (.post, "factors/totp"), (.post, "factors/recovery-codes"), (.delete, "factors/totp"),
            ]
            for (method, path) in calls {
                let refused = try await app.call(method, path, ["current_password": App.goodPassword])
                #expect(refused.status == .forbidden && refused.code == "reauthentication_required", "\(path)")
            }
            let code = authenticator.code(at: house.clock.now)
            #expect(try await app.call(.post, "factors/proof", ["code": code]).status == .ok)
            for (method, path) in calls { #expect(try await app.call(method, path).status == .ok, "\(path)") }
        }
    }

    @Test func `a key of another session is no key`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(email)
            let other = try await house.appMember("eve@example.com")
            let begun = try await other.call(.post, "factors/totp")
            let code = try AuthenticatorApp(typing: try #require(begun["key"])).code(at: house.clock.now)
            let body = ["setup": begun["setup"] ?? "", "code": code]
            #expect(try await app.call(.post, "factors/totp/confirm", body).code == "otp_incorrect")
            #expect(try await app.call(.post, "factors/recovery-codes").code == "validation_failed")
            #expect(try await house.app().call(.get, "factors").status == .unauthorized)
        }
    }
}
