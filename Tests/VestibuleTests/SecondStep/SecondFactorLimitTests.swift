import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// Limits of second factors: nobody guesses them, and nobody else uses them up.
@Suite(.timeLimit(.minutes(15)))
struct SecondFactorLimitTests {
    private static let email = "ada@example.com"

    @Test func `a known browser that changes networks is limited, too`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let (member, _) = try await house.memberWithPasskey(Self.email)
            try await member.logOut()
            var refused = 0
            for number in 1...20 {
                let thief = house.visitor(at: "203.0.113.\(number)")
                await thief.steal("vestibule-device", from: member)
                try await thief.logIn(email: Self.email)
                if try await thief.second(code: "123456").status == .tooManyRequests { refused += 1 }
            }
            #expect(refused == 5)
        }
    }

    @Test func `wrong codes of resets do not use up the second step`() async throws {
        try await withHouse([.limitReset: "off"]) { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            for number in 1...4 {
                let stranger = house.visitor(at: "203.0.113.\(number)")
                try await stranger.post("/reset", ["email": Self.email])
                for _ in 0..<5 { try await stranger.post("/reset/verify", ["code": "000000"]) }
            }
            let owner = house.visitor(at: "198.51.100.9")
            try await owner.logIn(email: Self.email)
            #expect(try await owner.second(with: key).status == .seeOther)
            #expect(try await owner.isSignedIn())
        }
    }

    @Test func `the first proof of a mailbox ends a stranger's passkey`() async throws {
        let store = try await sharedStore()
        try await withHouse([.verification: "off"], store: store) { house in
            var key = Authenticator(number: 1)
            let thief = house.visitor()
            try await thief.signUp(email: Self.email)
            try await thief.add(&key)
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
            let owner = house.visitor(at: "198.51.100.9")
            try await owner.post("/reset", ["email": Self.email])
            #expect(try await house.mailbox.next(to: Self.email).subject == "A passkey was added to your account")
            let code = try await house.mailbox.code(for: Self.email)
            let new = "another good password 7"
            try await owner.post(
                "/reset/verify", ["code": code, "password": new, "password_confirmation": new])
            #expect(try await house.factors(of: Self.email).passkeys.isEmpty)
            try await owner.logIn(email: Self.email, password: new)
            #expect(try await owner.isSignedIn())
            #expect(try await house.visitor().logIn(with: key).status == .unprocessableContent)
        }
    }

    @Test func `who removes the last required factor waits for another one`() async throws {
        try await withHouse([.secondFactor: "required"]) { house in
            var key = Authenticator(number: 1)
            let member = try await house.member(Self.email)
            try await member.add(&key)
            #expect(try await member.get("/account").status == .ok)
            let id = try #require(await house.factors(of: Self.email).passkeys.first?.id)
            try await member.submit("/account/security/passkeys/\(id)/remove")
            #expect(try await member.get("/account").location == "/account/security")
        }
    }
}
