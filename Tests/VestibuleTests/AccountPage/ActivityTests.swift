import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct ActivityTests {
    @Test func `the account page says what happened in plain words, repeated things once`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            for _ in 0..<3 { try await house.visitor().logIn(email: "ada@example.com", password: "guess") }
            let page = try await member.get("/account/activity")
            #expect(page.shows("Wrong password at sign-in") && page.shows("×3"))
            #expect(page.shows("Account created"))
            #expect(!page.body.contains("login_failed") && !page.body.contains("activity."))
        }
    }

    @Test func `strangers' failures take no room from what matters`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let member = try await house.member("ada@example.com")
            for _ in 0..<60 { try await house.visitor().logIn(email: "ada@example.com", password: "guess") }
            let page = try await member.get("/account/activity")
            #expect(page.shows("×60") && page.shows("Account created"))
        }
    }

    @Test func `a program that signs in and out all day fills no history`() async throws {
        try await withHouse([.limitLogin: "off"], logLevel: .debug) { house in
            _ = try await house.member("ada@example.com")
            let program = house.visitor()
            for _ in 0..<40 {
                try await program.logIn(email: "ada@example.com")
                try await program.logOut()
            }
            try await house.tidy()
            let events = try await house.events(of: "ada@example.com")
            #expect(events.filter { $0.kind == .logout }.map(\.count) == [20] + Array(repeating: 1, count: 20))
            try await program.logIn(email: "ada@example.com")
            #expect(try await program.get("/account/activity").shows("×20"))
        }
    }

    @Test(arguments: [
        SecurityEvent.Kind.login, .secondStepFailed, .emailChangeRequested, .consentGiven, .consentEnded, .trustEnded,
        .passkeyCounterBehind, .passkeyBackupChanged, .codeReplayed, .refreshReplayed,
    ])
    func `a thief who does again and again what changes nothing pushes no change off the page`(
        kind: SecurityEvent.Kind
    ) async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let thief = try await house.member("ada@example.com")
            try await thief.addApp(at: house.clock.now)
            let accountID = try #require(try await house.events(of: "ada@example.com").first?.accountID)
            for _ in 1...60 {
                house.clock.advance(by: .seconds(1))
                try await Make.note(kind, of: accountID, house)
            }
            #expect(try await thief.get("/account/activity").shows("Authenticator app added"))
        }
    }

    @Test func `codes and refresh tokens that come twice push no consent off the page`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let accountID = try #require(try await house.events(of: "ada@example.com").first?.accountID)
            try await Make.note(.consentGiven, of: accountID, house)
            for _ in 1...60 {
                house.clock.advance(by: .seconds(1))
                try await Make.note(.codeReplayed, of: accountID, house)
                try await Make.note(.refreshReplayed, of: accountID, house)
            }
            #expect(try await member.get("/account/activity").shows("Application allowed to use the account"))
        }
    }

    @Test func `fifty changes and fifty visits are shown, five at once, and forgotten after the setting's time`()
        async throws
    {
        try await withHouse([.activityLifetime: "30d"], logLevel: .debug) { house in
            let member = try await house.member("ada@example.com")
            let accountID = try #require(try await house.events(of: "ada@example.com").first?.accountID)
            for _ in 1...60 {
                for kind in [SecurityEvent.Kind.profileChanged, .logout] {
                    try await Make.note(kind, of: accountID, house)
                }
                house.clock.advance(by: .seconds(1))
            }
            let page = try await member.get("/account/activity")
            #expect(page.body.matches(of: /Name changed/).count == 50)
            #expect(page.body.matches(of: /Signed out/).count == 50)
            let latest = page.body.split(separator: "<summary>Earlier").first
            #expect(latest?.matches(of: /Name changed|Signed out/).count == 5)
            house.clock.advance(by: .seconds(30 * 86_400))
            try await house.tidy()
            #expect(try await house.events(of: "ada@example.com").isEmpty)
        }
    }
}

private enum Make {
    static func note(_ kind: SecurityEvent.Kind, of accountID: AccountID, _ house: House) async throws {
        try await house.services.store.note(
            event(kind, at: house.clock.now).of(accountID),
            once: Once(digest: Token(from: .system).digest, until: house.clock.now))
    }

    private static func event(_ kind: SecurityEvent.Kind, at: Date) -> SecurityEvent {
        SecurityEvent(
            id: UUID().uuidString, kind: kind, accountID: nil, at: at, address: IPAddress("192.0.2.1"),
            userAgent: "curl/8"
        )
    }
}
