import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// `sign-in/second`
@Suite(.timeLimit(.minutes(15)))
struct SecondStepAPITests {
    private static let email = "ada@example.com"

    @Test func `the right password is answered with the flow of the second step`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let app = house.app(at: "203.0.113.7")
            let first = try await app.signIn(Self.email)
            #expect(first.status == .forbidden && first.code == "second_factor_required")
            #expect(first["methods.0"] == "passkey" && first["methods.1"] == nil && first["token"] == nil)
            #expect(try await !app.isSignedIn())
            let second = try await app.second(first["flow"] ?? "", with: key)
            #expect(second.status == .ok && second["user.email"] == Self.email)
            #expect(try await app.isSignedIn())
            // The flow is over.
            let over = try await app.second(first["flow"] ?? "", with: key)
            #expect(over.status == .unprocessableContent && over["token"] == nil)
        }
    }

    @Test func `five tries a flow, which the pages share`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let app = house.app(at: "203.0.113.7")
            let flow = try await app.signIn(Self.email)["flow"] ?? ""
            for number in 1...5 {
                let wrong = try await app.call(.post, "sign-in/second", ["flow": flow, "code": "123456"])
                #expect(wrong.status == .unprocessableContent && wrong.code == "otp_incorrect")
                #expect(wrong.body.contains(#""flow_ended":true"#) == (number == 5), "\(number)")
            }
            let late = try await app.second(flow, with: key)
            #expect(late.status == .tooManyRequests && late["token"] == nil)
            #expect(late.body.contains(#""flow_ended":true"#))
            let browser = house.visitor(at: "203.0.113.7")
            await browser.set("vestibule-flow", flow)
            #expect(try await browser.second(with: key).location == "/login")
            #expect(try await house.failuresInARow("ada@example.com") == 5)
        }
    }

    @Test func `a fifth try with a passkey that is wrong ends the flow, too`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            _ = try await house.memberWithPasskey(Self.email)
            let app = house.app(at: "203.0.113.7")
            let flow = try await app.signIn(Self.email)["flow"] ?? ""
            for number in 1...5 {
                let wrong = try await app.call(
                    .post, "sign-in/second", ["flow": flow, "method": "passkey", "code": "123456"])
                #expect(wrong.body.contains(#""flow_ended":true"#) == (number == 5), "\(number)")
            }
        }
    }

    @Test func `a code is read as what its method names`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            let otp = try await member.addApp(at: house.clock.now)
            let recovery = try #require(try await member.makeRecoveryCodes().recoveryCodes.first)
            house.clock.advance(by: .seconds(30))
            let app = house.app(at: "203.0.113.7")
            let flow = try await app.signIn(Self.email)["flow"] ?? ""
            let code = otp.code(at: house.clock.now)
            for (method, code) in [("recovery_code", code), ("totp", recovery), ("passkey", code)] {
                let wrong = try await app.call(
                    .post, "sign-in/second", ["flow": flow, "method": method, "code": code])
                #expect(wrong.status == (method == "passkey" ? .unauthorized : .unprocessableContent), "\(method)")
            }
            let unknown = try await app.call(.post, "sign-in/second", ["flow": flow, "method": "sms", "code": code])
            #expect(unknown.status == .badRequest)
            let right = try await app.call(.post, "sign-in/second", ["flow": flow, "method": "totp", "code": code])
            #expect(right.status == .ok)
        }
    }

    @Test func `an invented, an ended and a malformed flow are answered alike`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let app = house.app(at: "203.0.113.7")
            let flow = try await app.signIn(Self.email)["flow"] ?? ""
            house.clock.advance(by: .seconds(600))
            var answers: Set<String> = []
            for flow in [flow, String(flow.reversed()), "x", ""] {
                let reply = try await app.second(flow, with: key)
                #expect(reply.status == .unprocessableContent && reply.code == "otp_incorrect")
                #expect(reply.headers[.retryAfter] == nil && reply["token"] == nil)
                #expect(reply.body.contains(#""flow_ended":true"#))
                answers.insert(reply.body)
            }
            #expect(answers.count == 1)
        }
    }

    @Test func `twenty flows do not give more tries in an hour than one`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            _ = try await house.memberWithPasskey(Self.email)
            var refused = 0
            for number in 1...20 {
                let app = house.app(at: "203.0.113.\(number)")
                let flow = try await app.signIn(Self.email)["flow"] ?? ""
                let reply = try await app.call(.post, "sign-in/second", ["flow": flow, "code": "123456"])
                if reply.status == .tooManyRequests { refused += 1 }
            }
            // Fifteen an hour and address; codes of sign-ups and resets count elsewhere.
            #expect(refused == 5)
        }
    }

    @Test func `signing in by passkey needs no second step`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let app = house.app(at: "203.0.113.7")
            let reply = try await app.signIn(with: key)
            #expect(reply.status == .ok && reply["user.email"] == Self.email)
            #expect(try await app.isSignedIn())
            let other = Authenticator(number: 9)
            let unknown = try await house.app(at: "203.0.113.8").signIn(with: other)
            #expect(unknown.status == .unauthorized && unknown.code == "invalid_credentials")
        }
    }
}
