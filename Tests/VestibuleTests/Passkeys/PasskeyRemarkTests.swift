import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// What is odd about a right signature is kept as an event, and locks nobody out.
@Suite(.timeLimit(.minutes(15)))
struct PasskeyRemarkTests {
    private static let email = "ada@example.com"

    private func kinds(_ house: House) async throws -> [SecurityEvent.Kind] {
        try await house.events(of: Self.email).map(\.kind)
    }

    @Test func `a counter that steps back or stands`() async throws {
        try await withHouse { house in
            var (_, key) = try await house.memberWithPasskey(Self.email)
            key.count = 8
            #expect(try await house.visitor().logIn(with: key).location == "/account")
            #expect(try await !kinds(house).contains(.passkeyCounterBehind))
            for (count, events) in [(8, 1), (3, 2), (4, 2)] as [(UInt32, Int)] {
                key.count = count
                #expect(try await house.visitor().logIn(with: key).location == "/account")
                #expect(try await kinds(house).count { $0 == .passkeyCounterBehind } == events)
            }
        }
    }

    @Test func `a passkey that never counts`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            var key = Authenticator(number: 1)
            key.count = 0
            try await member.add(&key)
            for _ in 1...2 { #expect(try await house.visitor().logIn(with: key).location == "/account") }
            #expect(try await !kinds(house).contains(.passkeyCounterBehind))
        }
    }

    @Test func `whether it may be copied is said otherwise than before`() async throws {
        try await withHouse { house in
            var (_, key) = try await house.memberWithPasskey(Self.email)
            (key.flags, key.count) = (0x05, 8)
            #expect(try await house.visitor().logIn(with: key).location == "/account")
            #expect(try await kinds(house).count { $0 == .passkeyBackupChanged } == 1)
            let backup = try await house.factors(of: Self.email).passkeys.first?.credential.backup
            #expect(backup == PasskeyBackup(isEligible: false, isBackedUp: false))
            key.count = 9
            #expect(try await house.visitor().logIn(with: key).location == "/account")
            #expect(try await kinds(house).count { $0 == .passkeyBackupChanged } == 1)
        }
    }

    @Test func `the second step and a proof keep them, too`() async throws {
        try await withHouse { house in
            var (member, key) = try await house.memberWithPasskey(Self.email)
            key.count = 2
            let visitor = house.visitor()
            try await visitor.logIn(email: Self.email)
            #expect(try await visitor.second(with: key).location == "/account")
            house.clock.advance(by: .seconds(600))
            key.count = 1
            let asked = try await member.submit("/account/sessions/end-others")
            #expect(try await member.prove(asked, with: key).status == .seeOther)
            #expect(try await kinds(house).count { $0 == .passkeyCounterBehind } == 2)
        }
    }
}
