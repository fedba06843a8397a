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

    /// Of so many codes guessed in a browser with that one's device cookie, those that are looked
    /// at; four a login, each login from a network of its own.
    private func guesses(_ count: Int, in device: Browser?, _ house: House, network: Int) async throws -> Int {
        var (granted, thief) = (0, house.visitor())
        for number in 0..<count {
            if number.isMultiple(of: 4) {
                thief = house.visitor(at: "203.\(network).\(number).1")
                if let device { await thief.steal("vestibule-device", from: device) }
                try await thief.logIn(email: Self.email)
            }
            if try await thief.second(code: "123456").status != .tooManyRequests { granted += 1 }
        }
        return granted
    }

    @Test func `no setting removes the last bound on guessing, and strangers leave tries to known browsers`()
        async throws
    {
        try await withHouse([.limitLogin: "off", .limitVerify: "off"]) { house in
            let owner = try await house.member(Self.email)
            house.clock.advance(by: .seconds(1))
            let app = try await owner.addApp(at: house.clock.now)
            let granted = try await guesses(60, in: nil, house, network: 1)
            #expect(granted == 50)
            house.clock.advance(by: .seconds(30))
            try await owner.logOut()
            try await owner.logIn(email: Self.email)
            #expect(try await owner.second(code: app.code(at: house.clock.now)).location == "/account")
        }
    }

    @Test func `an account has a hundred guesses a day in all browsers together`() async throws {
        try await withHouse([.limitLogin: "off", .limitVerify: "off"]) { house in
            let app = try await house.member(Self.email).addApp(at: house.clock.now)
            var browsers: [Browser] = []
            for number in 1...3 {
                house.clock.advance(by: .seconds(30))
                browsers.append(house.visitor(at: "198.51.100.\(number)"))
                try await browsers[number - 1].logIn(email: Self.email)
                try await browsers[number - 1].second(code: app.code(at: house.clock.now))
            }
            // Three were the right ones.
            var granted: [Int] = []
            for (number, browser) in browsers.enumerated() {
                granted.append(try await guesses(52, in: browser, house, network: number))
            }
            house.clock.advance(by: .seconds(15 * 60))
            granted.append(try await guesses(3, in: browsers[2], house, network: 9))
            #expect(granted == [50, 47, 0, 1])
        }
    }

    @Test func `a stolen session leaves its owner tries`() async throws {
        try await withHouse([.limitLogin: "off", .limitVerify: "off"]) { house in
            let owner = try await house.member(Self.email)
            let app = try await owner.addApp(at: house.clock.now)
            house.clock.advance(by: .seconds(3600))
            let page = try await owner.submit("\(Browser.appPage)/remove")
            var granted = 0
            for _ in 1...30 {
                if try await owner.prove(on: page, code: "123456").status != .tooManyRequests { granted += 1 }
            }
            #expect(granted == 20)
            let other = house.visitor(at: "198.51.100.9")
            try await other.logIn(email: Self.email)
            #expect(try await other.second(code: app.code(at: house.clock.now)).location == "/account")
        }
    }

    @Test(arguments: [
        ("sign-in", "Someone couldn't finish signing in to your account"),
        ("session", "Someone in your account couldn't confirm it's you"),
    ])
    func `two mails a day tell of wrong codes, however many there are`(place: String, subject: String) async throws {
        try await withHouse([.limitLogin: "off", .limitVerify: "off"]) { house in
            let owner = try await house.member(Self.email)
            try await owner.addApp(at: house.clock.now)
            if place == "sign-in" {
                #expect(try await guesses(20, in: nil, house, network: 1) == 20)
            } else {
                house.clock.advance(by: .seconds(3600))
                let page = try await owner.submit("\(Browser.appPage)/remove")
                for _ in 1...20 {
                    #expect(try await owner.prove(on: page, code: "123456").status == .unprocessableContent)
                }
            }
            #expect(try await house.waitingMails() == 0)
            #expect(await house.mailbox.subjects(to: Self.email).count { $0 == subject } == 2)
        }
    }

    @Test(arguments: ["app", "passkey", "passkey a browser made by itself"])
    func `a new factor forgets known browsers but the one that added it`(factor: String) async throws {
        try await withHouse([.limitLogin: "2/15m/address, 2/15m/device"]) { house in
            let owner = try await house.member(Self.email)
            let thief = house.visitor(at: "203.0.113.7")
            try await thief.logIn(email: Self.email)
            house.clock.advance(by: .seconds(1))
            var key = Authenticator(number: 1)
            if factor == "app" {
                _ = try await owner.addApp(at: house.clock.now)
            } else {
                let added = try await owner.add(&key, byItself: factor != "passkey")
                #expect(added.status == .seeOther)
            }
            for _ in 1...2 { _ = try await house.visitor().logIn(email: Self.email, password: "wrong") }
            for browser in [owner, thief] { try await browser.logOut() }
            let again = try await owner.logIn(email: Self.email)
            #expect(again.status == .seeOther)
            let isKnown = try await thief.logIn(email: Self.email).status == .seeOther
            #expect(isKnown == factor.contains("itself"))
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
