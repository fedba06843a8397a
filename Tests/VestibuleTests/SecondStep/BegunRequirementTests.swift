import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Sessions of accounts without a second factor, at a server with
/// `VESTIBULE_SECOND_FACTOR=required` beside the former one on the same store.
@Suite(.timeLimit(.minutes(15)))
struct BegunRequirementTests {
    private static let email = "ada@example.com"

    /// A member's browser that is carried from one house to the next.
    private func withRestart(
        from policy: String = "optional", environment: [String: String] = [:],
        _ before: @escaping @Sendable (House, Browser) async throws -> Void = { _, _ in },
        _ test: @escaping @Sendable (House, Browser) async throws -> Void
    ) async throws {
        let store = try await sharedStore()
        try await withHouse([.secondFactor: policy], store: store, environment: environment) { former in
            let member = try await former.member(Self.email)
            let page = try await member.get("/account")
            #expect(page.status == .ok)
            try await before(former, member)
            try await withHouse([.secondFactor: "required"], store: store, environment: environment) { house in
                let browser = house.visitor()
                for (name, value) in await member.cookies { await browser.set(name, value) }
                try await test(house, browser)
            }
        }
    }

    @Test(arguments: ["optional", "off"])
    func `they wait for one at their next request`(policy: String) async throws {
        try await withRestart(from: policy) { _, member in
            // A sign-up and a sign-in each begin a session.
            try await member.logOut()
            try await member.logIn(email: Self.email)
        } _: { _, browser in
            let page = try await browser.get("/account")
            #expect(page.location == "/account/security")
        }
    }

    @Test func `apps wait, too, and what had waited elsewhere ends once one is added`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { former in
            _ = try await former.member(Self.email)
            let (first, second) = (former.app(), former.app())
            for app in [first, second] {
                #expect(try await app.signIn(Self.email).status == .ok)
                #expect(try await app.call(.get, "user").status == .ok)
            }
            try await withHouse([.secondFactor: "required"], store: store) { house in
                let (adds, waits) = (house.app(token: await first.token), house.app(token: await second.token))
                let refused = try await adds.call(.get, "user")
                #expect(refused.code == "second_factor_required")
                #expect(try await waits.call(.get, "user").code == "second_factor_required")
                var key = Authenticator(number: 1)
                #expect(try await adds.add(&key).status == .ok)
                #expect(try await adds.call(.get, "user").status == .ok)
                #expect(try await waits.call(.get, "user").status == .unauthorized)
            }
        }
    }

    @Test func `applications behind the proxy that they had entered are closed until then`() async throws {
        let environment = ProxiedBrowser.environment
        try await withRestart(environment: environment) { former, member in
            let proxied = ProxiedBrowser(former, member)
            _ = try await proxied.visit("/x")
            #expect(try await proxied.verdict("/x").status == .ok)
        } _: { house, browser in
            let proxied = ProxiedBrowser(house, browser)
            #expect(try await proxied.verdict("/x").status != .ok)
            try await browser.addApp(at: house.clock.now)
            _ = try await proxied.visit("/x")
            #expect(try await proxied.verdict("/x").status == .ok)
        }
    }

    @Test func `those of an account that has one go on`() async throws {
        try await withRestart { former, member in
            try await member.addApp(at: former.clock.now)
        } _: { _, browser in
            let page = try await browser.get("/account")
            #expect(page.status == .ok)
        }
    }

    @Test func `they wait when it had one that was removed`() async throws {
        try await withRestart { former, member in
            try await member.addApp(at: former.clock.now)
            let removed = try await member.post(
                "/account/security/totp/remove", ["csrf": member.get("/account/security/totp").csrf ?? ""])
            #expect(removed.location?.hasPrefix("/account/security") == true)
        } _: { _, browser in
            let page = try await browser.get("/account")
            #expect(page.location == "/account/security")
        }
    }

    @Test func `a session that an account with one began where none was asked for goes on`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { first in
            let member = try await first.member(Self.email)
            try await member.addApp(at: first.clock.now)
            try await withHouse([.secondFactor: "off"], store: store) { second in
                let visitor = second.visitor()
                #expect(try await visitor.logIn(email: Self.email).location == "/account")
                try await withHouse([.secondFactor: "required"], store: store) { house in
                    let browser = house.visitor()
                    for (name, value) in await visitor.cookies { await browser.set(name, value) }
                    let page = try await browser.get("/account")
                    #expect(page.status == .ok)
                }
            }
        }
    }
}
