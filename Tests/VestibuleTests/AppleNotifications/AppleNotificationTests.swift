import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)), .serialized)
struct AppleNotificationTests {
    /// A house with an account that Apple opens, and that account's browser.
    private func withAppleMember(
        _ test: @escaping @Sendable (House, ProviderStandIn, Browser) async throws -> Void
    ) async throws {
        let standIn = try await ProviderStandIn.shared.value
        let settings = standIn.apple.merging([.limitLogin: "off", .limitSignup: "off"]) { $1 }
        try await withHouse(settings, clock: TestClock(Date())) { house in
            let visitor = house.visitor()
            try await visitor.comeFromApple(.init(), standIn)
            try await visitor.acceptAndContinue()
            try await test(house, standIn, visitor)
        }
    }

    private struct Notice {
        var type = "consent-revoked"
        var sub = "001234.abcdef"
        var iss: String?
        var aud = "web.client"
        var jti = UUID().uuidString
        var age = 0
        /// As it is said; nil for not at all.
        var eventTime: String? = Self.milliseconds(ago: 0)
        var lie: String?
        /// Claims that only a token of a sign-in has.
        var more: [String: any Sendable] = [:]

        static func milliseconds(ago seconds: Int) -> String {
            "\((Int(Date().timeIntervalSince1970) - seconds) * 1000)"
        }
    }

    private func signed(_ notice: Notice, _ standIn: ProviderStandIn) async throws -> String {
        let time = notice.eventTime.map { #","event_time":\#($0)"# } ?? ""
        let events = #"{"type":"\#(notice.type)","sub":"\#(notice.sub)"\#(time)}"#
        let claims: [String: any Sendable] = [
            "iss": notice.iss ?? standIn.base, "aud": notice.aud, "jti": notice.jti, "events": events,
            "iat": Int(Date().timeIntervalSince1970) - notice.age,
        ]
        var command: [String: any Sendable] = ["sign": claims.merging(notice.more) { $1 }]
        if let lie = notice.lie { command["lie"] = lie }
        return try await standIn.tell(command)["token"] as? String ?? ""
    }

    private func send(_ payload: String, _ house: House) async throws -> HTTPResponse.Status {
        try await house.visitor().send(
            .post, "/auth/apple/notifications", headers: ["Content-Type": "application/json"],
            body: ByteBuffer(string: #"{"payload":"\#(payload)"}"#)
        ).status
    }

    @Test(arguments: ["consent-revoked", "account-delete", "account-deleted"])
    func `what ends at Apple ends here: sessions and the way in, not the account`(type: String) async throws {
        try await withAppleMember { house, standIn, member in
            let status = try await send(signed(Notice(type: type), standIn), house)
            #expect(status == .ok)
            #expect(try await !member.isSignedIn())
            let identities = try await house.services.store.identities(of: "ada@example.com")
            #expect(identities.isEmpty)
            let events = try await house.events(of: "ada@example.com")
            #expect(events.first?.kind == .identityUnlinked)
            _ = try await house.mailbox.next(to: "ada@example.com", subject: "A way to sign in was removed")
        }
    }

    @Test(arguments: ["seconds", "\"now\"", nil])
    func `it ends, too, when its time is told in seconds, in words or not at all`(told: String?) async throws {
        try await withAppleMember { house, standIn, member in
            let time = told == "seconds" ? "\(Int(Date().timeIntervalSince1970))" : told
            let status = try await send(signed(Notice(eventTime: time), standIn), house)
            #expect(status == .ok)
            #expect(try await !member.isSignedIn())
        }
    }

    @Test func `what ended at Apple before it was connected here ends nothing`() async throws {
        try await withAppleMember { house, standIn, member in
            for type in ["consent-revoked", "account-delete", "account-deleted"] {
                let late = Notice(type: type, eventTime: Notice.milliseconds(ago: 7200))
                for notice in [late, Notice(type: type, age: 7200, eventTime: nil)] {
                    let status = try await send(signed(notice, standIn), house)
                    #expect(status == .ok)
                }
            }
            #expect(try await member.isSignedIn())
            #expect(try await house.services.store.identities(of: "ada@example.com").count == 1)
        }
    }

    @Test func `a sign-in through Apple that waits for its second step ends, too`() async throws {
        try await withAppleMember { house, standIn, member in
            var key = Authenticator(number: 1)
            #expect(try await member.add(&key).status == .seeOther)
            let thief = house.visitor(at: "203.0.113.7")
            #expect(try await thief.comeFromApple(.init(), standIn).location == "/login/second")
            let status = try await send(signed(Notice(), standIn), house)
            #expect(status == .ok)
            #expect(try await thief.get("/login/second").location?.hasPrefix("/login") == true)
        }
    }

    @Test func `a notification counts once`() async throws {
        try await withAppleMember { house, standIn, member in
            let payload = try await signed(Notice(type: "email-disabled"), standIn)
            for _ in 0..<3 {
                let status = try await send(payload, house)
                #expect(status == .ok)
            }
            let events = try await house.events(of: "ada@example.com")
            #expect(events.count { $0.kind == .providerEmailDisabled } == 1)
            let status = try await send(signed(Notice(type: "email-enabled", aud: "com.example.app"), standIn), house)
            #expect(status == .ok)
            #expect(try await member.get("/account/activity").shows("Apple forwards our emails again"))
        }
    }

    @Test func `what must not be believed changes nothing`() async throws {
        try await withAppleMember { house, standIn, member in
            let lies = [
                Notice(iss: "https://evil.example"), Notice(aud: "somebody.else"), Notice(age: 100_000),
                Notice(lie: "none"), Notice(lie: "hs256"), Notice(lie: "signature"), Notice(lie: "kid"),
                Notice(jti: ""), Notice(more: ["exp": Int(Date().timeIntervalSince1970) - 3600]),
            ]
            for lie in lies {
                let status = try await send(signed(lie, standIn), house)
                #expect(status == .badRequest)
            }
            for payload in ["", "a.b.c", String(repeating: "x", count: 20_000)] {
                let status = try await send(payload, house)
                #expect(status == .badRequest)
            }
            let large = try await send(String(repeating: "x", count: 1_000_000), house)
            #expect(large == .contentTooLarge)
            #expect(try await member.isSignedIn())
            #expect(try await house.services.store.identities(of: "ada@example.com").count == 1)
        }
    }

    @Test func `a token that signs somebody in is no notification, nor is one the other`() async throws {
        try await withAppleMember { house, standIn, member in
            let nonce = try await house.nonce()
            let status = try await send(standIn.appToken(nonce), house)
            #expect(status == .badRequest)
            let more: [String: any Sendable] = [
                "sub": "001234.abcdef", "exp": Int(Date().timeIntervalSince1970) + 600, "nonce_supported": true,
            ]
            let notice = try await signed(Notice(aud: "com.example.app", more: more), standIn)
            let body = AppleBody(idToken: .init(token: notice, nonce: nonce))
            #expect(try await house.app().call(.post, "sign-in/social", body).code == "provider_rejected")
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `one about somebody unknown, or of a kind unknown, is taken without effect`() async throws {
        try await withAppleMember { house, standIn, member in
            for notice in [Notice(sub: "nobody"), Notice(type: "something-new")] {
                let status = try await send(signed(notice, standIn), house)
                #expect(status == .ok)
            }
            #expect(try await member.isSignedIn())
        }
    }
}
