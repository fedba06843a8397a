import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// An account with a passkey and an app, after `VESTIBULE_PASSKEYS=off`.
@Suite(.timeLimit(.minutes(15)))
struct UncountedPasskeyTests {
    private static let email = "ada@example.com"

    private func withPasskeyFromBefore(
        _ values: [Setting: String] = [:],
        _ test: @escaping @Sendable (House, Browser, AuthenticatorApp) async throws -> Void
    ) async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { before in
            let (member, _) = try await before.memberWithPasskey(Self.email)
            before.clock.advance(by: .seconds(30))
            let app = try await member.addApp(at: before.clock.now)
            try #require(await member.makeRecoveryCodes().recoveryCodes.count == 10)
            try await withHouse(values.merging([.passkeys: "off"]) { $1 }, store: store) { house in
                house.clock.advance(by: .seconds(60))
                let visitor = house.visitor()
                #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
                try await test(house, visitor, app)
            }
        }
    }

    @Test func `the second step does not ask for a passkey that is off`() async throws {
        try await withPasskeyFromBefore { _, visitor, _ in
            let page = try await visitor.get("/login/second")
            #expect(page.shows("name=\"code\"") && !page.body.contains("passkey"))
            #expect(try await visitor.post("/login/second/options", [:]).status == .notFound)
        }
    }

    @Test func `without the app, the session waits for another factor where one is required`() async throws {
        try await withPasskeyFromBefore([.secondFactor: "required"]) { house, visitor, app in
            #expect(try await visitor.second(code: app.code(at: house.clock.now)).location == "/account")
            try await visitor.submit("\(Browser.appPage)/remove")
            #expect(try await house.factors(of: Self.email).totp == nil)
            #expect(try await visitor.get("/account").location == "/account/security")
        }
    }

    @Test func `removing the app removes the recovery codes`() async throws {
        try await withPasskeyFromBefore { house, visitor, app in
            try await visitor.second(code: app.code(at: house.clock.now))
            try await visitor.submit("\(Browser.appPage)/remove")
            let factors = try await house.factors(of: Self.email)
            #expect(factors.keys.isEmpty && factors.passkeys.count == 1)
        }
    }

    @Test(arguments: [[Setting.passkeys: "off"], [Setting.secondFactor: "off"]])
    func `a login that waits for nothing by now starts over`(values: [Setting: String]) async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { before in
            _ = try await before.memberWithPasskey(Self.email)
            let visitor = before.visitor()
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
            try await withHouse(values, store: store) { house in
                let after = house.visitor()
                await after.steal("vestibule-flow", from: visitor)
                let page = try await after.get("/login/second")
                #expect(page.location == "/login")
            }
        }
    }
}
