import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// A provider lets people in who signed in there long ago.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderAgeTests {
    private static let old = ProviderStandIn.Person(lie: "old_auth")

    private func mayDelete(_ visitor: Browser) async throws -> Bool {
        try await visitor.get("/account/delete").linkToProvider("prove") == nil
    }

    @Test func `signing out and in again by an old sign-in at the provider is no new proof`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample(Self.old)
            #expect(try await !mayDelete(visitor))
            try await visitor.logOut()
            try await visitor.comeFromExample(Self.old)
            #expect(try await visitor.isSignedIn())
            #expect(try await !mayDelete(visitor))
            try await visitor.logOut()
            try await visitor.comeFromExample()
            #expect(try await mayDelete(visitor))
        }
    }

    /// An application, and somebody who came by the provider and is signed out.
    private func withWish(
        _ changes: [String: String?],
        _ test: @escaping @Sendable (RelyingParty, Browser, String) async throws -> Void
    ) async throws {
        let standIn = try await ProviderStandIn.shared.value
        let environment = RelyingParty.environment.merging(standIn.example) { $1 }
        try await withHouse(
            [.limitLogin: "off", .limitSignup: "off"], clock: TestClock(Date()), environment: environment
        ) { house in
            let (party, visitor) = (try await house.party(), house.visitor())
            try await visitor.signUpThroughExample()
            _ = try await party.signIn(visitor)
            try await visitor.logOut()
            let login = try #require(try await visitor.get(party.path(changes)).location)
            let start = try #require(try await visitor.get(login).linkToProvider("return_to", "example"))
            try await test(party, visitor, start)
        }
    }

    private func token(_ page: Page, _ party: RelyingParty, _ visitor: Browser) async throws -> ReadIDToken {
        let answer = try Answer(try await visitor.get(try #require(page.location)))
        return try await ReadIDToken(try await party.redeem(answer["code"] ?? "")["id_token"] ?? "", party.house)
    }

    @Test(
        arguments: [
            (["prompt": "login"], "login", "0"), (["max_age": "600"], nil, "600"),
            (["prompt": "login", "max_age": "600"], "login", "0"),
        ] as [([String: String], String?, String)])
    func `a client that wants a new sign-in gets one at the provider, too`(
        wish: [String: String], prompt: String?, maxAge: String
    ) async throws {
        try await withWish(wish.mapValues { $0 }) { party, visitor, start in
            let asked = try await visitor.startSignIn(start)
            #expect(asked.fields["prompt"] == prompt && asked.fields["max_age"] == maxAge)
            let failed = try await visitor.comeFromExample(Self.old, path: start)
            let login = try #require(failed.location)
            #expect(login.hasPrefix("/login?return_to=/oauth/authorize"))
            #expect(try await visitor.get(login).shows("You were still signed in at Example"))
            #expect(try await !visitor.isSignedIn())
            let page = try await visitor.comeFromExample(path: start)
            let authenticatedAt = try #require(try await token(page, party, visitor).number("auth_time"))
            // The provider's clock is the machine's.
            #expect(abs(party.house.clock.now.timeIntervalSince1970 - Double(authenticatedAt)) < 60)
        }
    }

    @Test func `an old sign-in at the provider is new enough for a client that takes that age`() async throws {
        try await withWish(["max_age": "86400"]) { party, visitor, start in
            let page = try await visitor.comeFromExample(Self.old, path: start)
            #expect(try await token(page, party, visitor).number("auth_time") != nil)
        }
    }

    @Test func `any other client learns when the sign-in at the provider was`() async throws {
        try await withWish([:]) { party, visitor, start in
            #expect(try await visitor.startSignIn(start).fields["prompt"] == nil)
            let page = try await visitor.comeFromExample(Self.old, path: start)
            let age = try await token(page, party, visitor).number("auth_time").map {
                party.house.clock.now.timeIntervalSince1970 - Double($0)
            }
            // The provider's clock is the machine's.
            #expect(try #require(age) > 3500)
        }
    }
}
