import Foundation
import HTTPTypes
import StoreSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// Codes live ten minutes of time that passes, whatever the clock is set to.
@Suite(.timeLimit(.minutes(15)))
struct CodeClockTests {
    /// Limits go by the time of day.
    private let unlimited: [Setting: String] = [
        .limitMail: "off", .limitVerify: "off", .limitReset: "off", .limitLogin: "off",
    ]
    private let wrong = "That code is wrong or has expired."

    @Test func `a clock that is set back lengthens no code of a sign-up`() async throws {
        try await withHouse(unlimited) { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            let code = try await house.mailbox.code(for: "ada@example.com")
            house.clock.set(by: -7200)
            house.clock.advance(by: .seconds(601))
            #expect(try await visitor.type(code: code).shows(wrong))
            // A code made by the clock as it is now works, and no longer than any.
            try await visitor.post("/signup/resend", [:])
            let next = try await house.mailbox.code(for: "ada@example.com")
            house.clock.advance(by: .seconds(599))
            #expect(try await visitor.type(code: next).location == "/account")
        }
    }

    @Test func `a code that was made later than now, before a restart, has expired`() async throws {
        let store = try await sharedStore()
        let clock = TestClock()
        try await withHouse(unlimited, store: store, clock: clock) { house in
            _ = try await house.member("ada@example.com")
        }
        let visitor = try await flow(store, clock)
        clock.set(by: -300)
        try await withHouse(unlimited, store: store, clock: clock) { house in
            let again = house.visitor()
            for (name, value) in visitor.cookies { await again.set(name, value) }
            let answer = try await again.post("/reset/verify", Self.newPassword(visitor.code))
            #expect(answer.shows(wrong))
            #expect(try await again.logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    @Test func `a code is taken by a node whose clock is a little behind`() async throws {
        let (store, ahead, behind) = (try await sharedStore(), TestClock(), TestClock())
        ahead.set(by: 50)
        try await withHouse(unlimited, store: store, clock: ahead) { house in
            _ = try await house.member("ada@example.com")
        }
        let flow = try await flow(store, ahead)
        try await withHouse(unlimited, store: store, clock: behind) { house in
            let other = house.visitor()
            for (name, value) in flow.cookies { await other.set(name, value) }
            let answer = try await other.post("/reset/verify", Self.newPassword(flow.code))
            #expect(answer.status == .seeOther)
        }
    }

    private static func newPassword(_ code: String) -> [String: String] {
        ["code": code, "password": "another horse battery", "password_confirmation": "another horse battery"]
    }

    /// Asks for a reset before the restart.
    private func flow(_ store: any Store, _ clock: TestClock) async throws -> (code: String, cookies: [String: String])
    {
        let kept = Kept()
        try await withHouse(unlimited, store: store, clock: clock) { house in
            let visitor = house.visitor()
            try await visitor.post("/reset", ["email": "ada@example.com"])
            await kept.keep(try await house.mailbox.code(for: "ada@example.com"), visitor.cookies)
        }
        return await (kept.code, kept.cookies)
    }

    private actor Kept {
        var code = ""
        var cookies: [String: String] = [:]

        func keep(_ code: String, _ cookies: [String: String]) {
            (self.code, self.cookies) = (code, cookies)
        }
    }

    @Test func `a mail whose next try lies in a future that never comes is tried`() async throws {
        try await withHouse { house in
            await house.mailbox.fail(.deferred("greylisted"))
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            try await house.until { try await house.services.store.nextMailDue() == house.clock.now + 5 }
            await house.mailbox.fail(nil)
            house.clock.set(by: -86_400)
            house.services.outboxSignal.send()
            #expect(try await visitor.type(code: house.mailbox.code(for: "ada@example.com")).location == "/account")
        }
    }
}
