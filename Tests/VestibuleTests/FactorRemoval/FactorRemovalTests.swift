import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// An operator's word that somebody has lost everything.
@Suite(.timeLimit(.minutes(15)))
struct FactorRemovalTests {
    private static let email = "ada@example.com"
    private static let asked = "Your second factors will be removed soon"
    private static let removed = "Your second factors were removed"

    /// Asks for it, as `users reset-factors` does; returns when the owner was mailed.
    private func ask(_ house: House) async throws -> Date? {
        let due = try await askUnmailed(house)
        #expect(try await house.waitingMails() == 0)
        return due
    }

    private func askUnmailed(_ house: House) async throws -> Date? {
        try await FactorRemoval(services: house.services).ask(for: try await house.account(Self.email))
    }

    /// The mails about it that have not left.
    private func notices(_ house: House) async throws -> [OutboxEntry.State] {
        try await MailQueue(store: house.services.store, key: House.key).list(after: nil, limit: 99)
            .filter { $0.kind == .factorRemovalAsked }.map(\.entry.state)
    }

    /// Lets the worker look for due mails.
    private func wake(_ house: House) async throws {
        try await house.visitor().signUp(email: "bob@example.com")
    }

    @Test func `the owner is mailed, and after a day everything goes`() async throws {
        try await withHouse(logLevel: .debug) { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            #expect(try await ask(house) == house.clock.now + 86_400)
            let mail = try await house.mailbox.next(to: Self.email, subject: Self.asked)
            let words = try House.content(house.services.settings).pages.templates
                .dateAndTime(house.clock.now + 86_400, locale: "en")
            #expect(mail.text.contains("them before \(words).") && mail.html.contains("before \(words)."))
            house.clock.advance(by: .seconds(86_399))
            try await house.tidy()
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
            house.clock.advance(by: .seconds(1))
            try await house.tidy()
            let factors = try await house.factors(of: Self.email)
            #expect(factors.passkeys.isEmpty && !factors.asksSecondStep && factors.removalDueAt == nil)
            _ = try await house.mailbox.next(to: Self.email, subject: Self.removed)
            let kinds = try await house.events(of: Self.email).map(\.kind)
            #expect(kinds.contains(.factorRemovalAsked) && kinds.first == .factorsRemoved)
            #expect(try await house.visitor().logIn(with: key).status == .unprocessableContent)
            #expect(try await house.visitor().logIn(email: Self.email).location == "/account")
        }
    }

    @Test func `app, codes and trust go, too, and once only`() async throws {
        try await withHouse(logLevel: .debug) { house in
            let owner = try await house.member(Self.email)
            let app = try await owner.addApp(at: house.clock.now)
            try await owner.makeRecoveryCodes()
            house.clock.advance(by: .seconds(30))
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            try await visitor.post("/login/second", ["code": app.code(at: house.clock.now), "trust": "on"])
            _ = try await ask(house)
            house.clock.advance(by: .seconds(86_400))
            for _ in 1...2 { try await house.tidy() }
            #expect(try await house.factors(of: Self.email) == AccountFactors())
            _ = try await house.mailbox.next(to: Self.email, subject: Self.removed)
            #expect(try await house.events(of: Self.email).count { $0.kind == .factorsRemoved } == 1)
            // A factor that is added later asks this browser, too.
            try await owner.logIn(email: Self.email)
            _ = try await owner.addApp(at: house.clock.now)
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
        }
    }

    /// What stops it: an owner who has a factor needs no removal.
    enum Use: CaseIterable { case login, second, proof, change }

    @Test(arguments: Use.allCases)
    func `using or changing a factor stops it`(use: Use) async throws {
        try await withHouse(logLevel: .debug) { house in
            let (owner, key) = try await house.memberWithPasskey(Self.email)
            _ = try await ask(house)
            house.clock.advance(by: .seconds(3600))
            switch use {
            case .login: try await house.visitor().logIn(with: key)
            case .second:
                let visitor = house.visitor(at: "203.0.113.7")
                try await visitor.logIn(email: Self.email)
                try await visitor.second(with: key)
            case .proof:
                try await owner.prove(try await owner.submit("/account/sessions/end-others"), with: key)
            case .change:
                try await owner.logIn(with: key)
                _ = try await ask(house)
                var second = Authenticator(number: 2)
                try await owner.add(&second)
            }
            #expect(try await house.factors(of: Self.email).removalDueAt == nil)
            house.clock.advance(by: .seconds(86_400))
            try await house.tidy()
            #expect(try await house.factors(of: Self.email).asksSecondStep)
        }
    }

    @Test func `a right password alone does not stop it, nor does a wrong step`() async throws {
        try await withHouse { house in
            _ = try await house.memberWithPasskey(Self.email)
            let due = try await ask(house)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            try await visitor.second(code: "123456")
            #expect(try await house.factors(of: Self.email).removalDueAt == due)
        }
    }

    @Test func `a browser that is trusted is asked at once, so that the owner keeps them by signing in`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            house.clock.advance(by: .seconds(1))
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            try await visitor.second(with: key, trust: true)
            #expect(try await visitor.logIn(email: Self.email).location == "/account")
            _ = try await ask(house)
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
            try await visitor.second(with: key)
            #expect(try await house.factors(of: Self.email).removalDueAt == nil)
        }
    }

    @Test func `the page says in one sentence when factors go, and how to keep them`() async throws {
        try await withHouse { house in
            let (owner, _) = try await house.memberWithPasskey(Self.email)
            let due = try #require(try await ask(house))
            let page = try await owner.get("/account/security")
            let time = #"<time datetime="\#(due.formatted(.iso8601))" data-on="time">"#
            #expect(page.shows("The people who run this site will remove your second factors on \(time)"))
            #expect(page.shows(" UTC</time>. Sign in with one to keep them."))
        }
    }

    @Test func `a passkey that a browser made by itself is none to remove, but goes with --now`() async throws {
        try await withHouse { house in
            let owner = try await house.member(Self.email)
            var key = Authenticator(number: 1)
            #expect(try await owner.add(&key, byItself: true).status == .seeOther)
            #expect(try await ask(house) == nil)
            #expect(try await house.factors(of: Self.email).removalDueAt == nil)
            let removal = FactorRemoval(services: house.services)
            #expect(try await removal.remove(from: try await house.account(Self.email)))
            #expect(try await house.factors(of: Self.email).passkeys.isEmpty)
        }
    }

    @Test func `asked again, the day begins anew`() async throws {
        try await withHouse(logLevel: .debug) { house in
            _ = try await house.memberWithPasskey(Self.email)
            _ = try await ask(house)
            house.clock.advance(by: .seconds(80_000))
            let due = try await ask(house)
            house.clock.advance(by: .seconds(10_000))
            try await house.tidy()
            let factors = try await house.factors(of: Self.email)
            #expect(factors.removalDueAt == due && factors.asksSecondStep)
        }
    }

    @Test func `nothing goes while the mail about it waits, nor when it could not be sent in time`() async throws {
        try await withHouse(logLevel: .debug) { house in
            _ = try await house.memberWithPasskey(Self.email)
            await house.mailbox.fail(.temporary("away"))
            _ = try await askUnmailed(house)
            house.clock.advance(by: .seconds(86_400))
            try await house.tidy()
            #expect(try await house.factors(of: Self.email).asksSecondStep)
            await house.mailbox.fail(nil)
            try await wake(house)
            try await house.until { try await notices(house) == [.failed] }
            try await house.tidy()
            #expect(try await house.factors(of: Self.email).asksSecondStep)
            #expect(await !house.mailbox.subjects(to: Self.email).contains(Self.asked))
            // A failed mail is forgotten after a week; the removal is not due because of that.
            house.clock.advance(by: .seconds(7 * 86_400))
            for _ in 1...2 { try await house.tidy() }
            let factors = try await house.factors(of: Self.email)
            #expect(try await notices(house).isEmpty)
            #expect(factors.asksSecondStep && factors.removalDueAt == nil)
        }
    }

    @Test func `a mail about it that goes out hours late still names the moment`() async throws {
        try await withHouse(logLevel: .debug) { house in
            _ = try await house.memberWithPasskey(Self.email)
            await house.mailbox.fail(.temporary("away"))
            let due = try #require(try await askUnmailed(house))
            house.clock.advance(by: .seconds(36_000))
            await house.mailbox.fail(nil)
            try await wake(house)
            let mail = try await house.mailbox.next(to: Self.email, subject: Self.asked)
            let words = try House.content(house.services.settings).pages.templates.dateAndTime(due, locale: "en")
            #expect(mail.text.contains("them before \(words)."))
            #expect(try await house.waitingMails() == 0)
            house.clock.advance(by: .seconds(50_400))
            try await house.tidy()
            #expect(try await !house.factors(of: Self.email).asksSecondStep)
        }
    }

    /// What makes a mail untrue that still waits.
    enum End: CaseIterable { case now, login, askedAgain }

    @Test(arguments: End.allCases)
    func `a mail that would be untrue is not sent`(end: End) async throws {
        try await withHouse(logLevel: .debug) { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            await house.mailbox.fail(.temporary("away"))
            _ = try await askUnmailed(house)
            #expect(try await notices(house).count == 1)
            house.clock.advance(by: .seconds(60))
            switch end {
            case .now:
                let removal = FactorRemoval(services: house.services)
                #expect(try await removal.remove(from: try await house.account(Self.email)))
            case .login: try await house.visitor().logIn(with: key)
            case .askedAgain: _ = try await askUnmailed(house)
            }
            #expect(try await notices(house).count == (end == .askedAgain ? 1 : 0))
        }
    }
}
