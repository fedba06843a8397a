import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// What Apple granted to an app is taken back when the account ends.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct AppleAppRevocationTests {
    private static let native = ProviderStandIn.Person(sub: "001234.native", app: true)

    private func revoked(_ standIn: ProviderStandIn) async throws -> [String?] {
        try await standIn.record().filter { $0["call"] == "/auth/revoke" }.map { $0["token"] }
    }

    /// Refresh tokens, sealed.
    private func held(_ house: House) async throws -> [[UInt8]] {
        let email = "ada@example.com" as EmailAddress
        let account = try #require(try await house.services.store.account(.address(email))).account
        return try await house.services.store.linkedIdentities(accountID: account.id).compactMap(\.refreshToken)
    }

    /// The code is exchanged after the answer.
    private func waitForGrant(_ house: House) async throws {
        try await house.until { try await !held(house).isEmpty }
    }

    @Test func `deleting the account in the app takes back what Apple granted to it`() async throws {
        try await withAppleApp(standIn: .start()) { house, standIn in
            let app = house.app()
            let new = try await app.call(.post, "sign-in/social", house.broughtByApp(standIn, code: Self.native))
            #expect(new.status == .ok)
            try await waitForGrant(house)
            let gone = try await app.call(.delete, "user", [String: String]())
            #expect(gone.status == .noContent)
            #expect(try await revoked(standIn) == ["r.com.example.app.001234.native"])
            #expect(house.logs.lines(of: "provider_revocation_fail").isEmpty)
        }
    }

    @Test func `a later sign-in brings what the first had not`() async throws {
        try await withAppleApp(standIn: .start()) { house, standIn in
            let first = try await house.app().call(.post, "sign-in/social", house.broughtByApp(standIn))
            let app = house.app()
            let second = try await app.call(.post, "sign-in/social", house.broughtByApp(standIn, code: Self.native))
            #expect(first.status == .ok && second.status == .ok)
            try await waitForGrant(house)
            _ = try await app.call(.delete, "user", ["current_password": ""])
            #expect(try await revoked(standIn) == ["r.com.example.app.001234.native"])
        }
    }

    @Test func `what was missing may be brought again with the same code`() async throws {
        try await withAppleApp(standIn: .start()) { house, standIn in
            let app = house.app()
            let whole = try await house.broughtByApp(standIn, code: Self.native)
            var bare = whole
            bare.terms = nil
            let refused = try await app.call(.post, "sign-in/social", bare)
            let new = try await app.call(.post, "sign-in/social", whole)
            #expect(refused.status == .unprocessableContent && new.status == .ok)
            try await waitForGrant(house)
            #expect(house.logs.lines(of: "authn_provider_rejected").isEmpty)
        }
    }

    @Test func `a code that is not taken is logged and holds nobody up`() async throws {
        try await withAppleApp(standIn: .start()) { house, standIn in
            var codes: [AppleBody] = []
            for person in [
                ProviderStandIn.Person(sub: "001234.somebody", app: true), .init(sub: "001234.native"),
                .init(sub: "001234.native", lie: "signature", app: true),
            ] {
                codes.append(try await house.broughtByApp(standIn, code: person))
            }
            for code in ["junk", String(repeating: "x", count: 1025)] {
                var body = try await house.broughtByApp(standIn)
                body.authorizationCode = code
                codes.append(body)
            }
            for body in codes {
                #expect(try await house.app().call(.post, "sign-in/social", body).status == .ok)
            }
            try await house.until { house.logs.lines(of: "authn_provider_rejected").count == codes.count }
            #expect(try await held(house).isEmpty)
        }
    }
}
