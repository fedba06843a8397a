import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// What counts as a proof for an account with several factors.
@Suite(.timeLimit(.minutes(15)))
struct StrongestFactorTests {
    private static let email = "ada@example.com"
    private static let endOthers = "/account/sessions/end-others"

    /// Somebody with a passkey, an app and recovery codes.
    private func everything(_ house: House) async throws -> (key: Authenticator, app: AuthenticatorApp, code: String) {
        let (member, key) = try await house.memberWithPasskey(Self.email)
        house.clock.advance(by: .seconds(1))
        let app = try await member.addApp(at: house.clock.now)
        let codes = try await member.makeRecoveryCodes().recoveryCodes
        house.clock.advance(by: .seconds(30))
        return (key, app, try #require(codes.first))
    }

    /// Signed in by password and that code.
    private func signedIn(_ house: House, code: String) async throws -> Browser {
        let visitor = house.visitor(at: "203.0.113.7")
        try await visitor.logIn(email: Self.email)
        try #require(await visitor.second(code: code).status == .seeOther)
        return visitor
    }

    @Test func `a passkey is asked for first, also after a sign-in with an app's code`() async throws {
        try await withHouse { house in
            let (key, app, _) = try await everything(house)
            let visitor = try await signedIn(house, code: app.code(at: house.clock.now))
            let asked = try await visitor.submit(Self.endOthers)
            try #require(asked.asksSecondProof)
            #expect(asked.shows("id=\"second-passkey\"") && !asked.shows("id=\"second-code\""))
            for (way, question) in [("totp", "Code from your authenticator app"), ("recovery_code", "Recovery code")] {
                #expect(asked.shows("name=\"way\" value=\"\(way)\""))
                let form = ["csrf": asked.csrf ?? "", "way": way]
                let other = try await visitor.post(try #require(asked.heldForm), form)
                #expect(other.asksSecondProof && other.shows(question) && !other.shows("id=\"second-passkey\""))
            }
            #expect(try await house.failuresInARow("ada@example.com") == 0)
            #expect(try await visitor.prove(asked, with: key).leads(to: "/account/devices", saying: .sessionsEnded))
        }
    }

    @Test func `a code given there in place of the passkey counts, for ten minutes`() async throws {
        try await withHouse { house in
            let (_, app, _) = try await everything(house)
            let visitor = try await signedIn(house, code: app.code(at: house.clock.now))
            house.clock.advance(by: .seconds(30))
            let asked = try await visitor.submit(Self.endOthers)
            let done = try await visitor.prove(on: asked, code: app.code(at: house.clock.now))
            #expect(done.leads(to: "/account/devices", saying: .sessionsEnded))
            house.clock.advance(by: .seconds(599))
            #expect(try await !visitor.submit(Self.endOthers).asksSecondProof)
            house.clock.advance(by: .seconds(1))
            #expect(try await visitor.submit(Self.endOthers).asksSecondProof)
        }
    }

    @Test func `a sign-in with a recovery code counts: the others are lost`() async throws {
        try await withHouse { house in
            let (_, _, code) = try await everything(house)
            let visitor = try await signedIn(house, code: code)
            #expect(try await visitor.submit(Self.endOthers).leads(to: "/account/devices", saying: .sessionsEnded))
        }
    }

    @Test func `without a passkey a sign-in with an app's code counts`() async throws {
        try await withHouse { house in
            let app = try await house.member(Self.email).addApp(at: house.clock.now)
            house.clock.advance(by: .seconds(30))
            let visitor = try await signedIn(house, code: app.code(at: house.clock.now))
            #expect(try await visitor.submit(Self.endOthers).leads(to: "/account/devices", saying: .sessionsEnded))
            house.clock.advance(by: .seconds(600))
            let asked = try await visitor.submit(Self.endOthers)
            #expect(asked.asksSecondProof && !asked.shows("another way"))
        }
    }

    @Test func `an app is told the methods, the strongest first, and follows the same rule`() async throws {
        try await withHouse { house in
            let (key, app, _) = try await everything(house)
            let phone = house.app(at: "203.0.113.7")
            let flow = try await phone.signIn(Self.email)["flow"] ?? ""
            let code = app.code(at: house.clock.now)
            try #require(await phone.call(.post, "sign-in/second", ["flow": flow, "code": code]).status == .ok)
            let refused = try await phone.call(.delete, "sessions/none")
            #expect(refused.status == .forbidden && refused.code == "reauthentication_required")
            #expect((0...3).map { refused["methods.\($0)"] } == ["passkey", "totp", "recovery_code", nil])
            #expect(try await phone.prove(with: key).status == .ok)
            #expect(try await phone.call(.delete, "sessions/none").status == .notFound)
        }
    }
}
