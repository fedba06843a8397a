import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// What strangers use up of an address's limits is nothing that its owner needs to get back in.
@Suite(.timeLimit(.minutes(15)))
struct RecoveryLimitTests {
    private static let email = "ada@example.com"
    private static let newPassword = "staple horse battery correct"

    @Test(arguments: [(10, "10/15m/address"), (100, "off")])
    func `an app that is signed in changes the password while strangers fail at the login`(
        failures: Int, limit: String
    ) async throws {
        try await withHouse([.limitLogin: limit]) { house in
            let app = try await house.appMember(Self.email)
            for number in 1...failures {
                try await house.visitor(at: "198.51.100.\(number)").logIn(email: Self.email, password: "guess")
            }
            #expect(try await app.signIn(Self.email).status != .ok)
            let change = ["current_password": App.goodPassword, "password": Self.newPassword]
            #expect(try await app.call(.post, "user/password", change).status == .ok)
        }
    }

    @Test func `a session hides what happened under no more than ten changes of the name a day`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(Self.email)
            for number in 1...10 {
                #expect(try await app.call(.patch, "user", ["name": "Ada \(number)"]).status == .ok)
            }
            let late = try await app.call(.patch, "user", ["name": "Ada"])
            #expect(late.status == .tooManyRequests && late.code == "rate_limited")
            #expect(try await house.visitor().logIn(email: Self.email).status == .seeOther)
        }
    }

    @Test func `a session makes no more than ten files of the account a day`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(Self.email)
            for _ in 1...10 { #expect(try await app.call(.post, "user/export").status == .ok) }
            #expect(try await app.call(.post, "user/export").status == .tooManyRequests)
        }
    }
}
