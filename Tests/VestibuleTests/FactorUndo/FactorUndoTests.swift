import Foundation
import HTTPTypes
import Logging
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// The link in the mail about a first factor.
@Suite(.timeLimit(.minutes(15)))
struct FactorUndoTests {
    private static let email = "ada@example.com"
    private static let page = "/account/security/undo"
    private static let added = "A passkey was added to your account"
    private static let addedApp = "An authenticator app was added"

    /// The link in the next mail with that subject; nil if it has none.
    private func link(_ subject: String, _ house: House, to email: String = email) async throws -> String? {
        let text = try await house.mailbox.next(to: email, subject: subject).text
        return text.firstMatch(of: /\/account\/security\/undo\?token=[A-Za-z0-9_-]+/).map { String($0.output) }
    }

    /// Somebody with the password has added a passkey. Returns who, and the link of the mail.
    private func takenOver(_ house: House) async throws -> (thief: Browser, key: Authenticator, link: String) {
        _ = try await house.member(Self.email)
        let thief = house.visitor(at: "203.0.113.66")
        try await thief.logIn(email: Self.email)
        var key = Authenticator(number: 1)
        try await thief.add(&key)
        return (thief, key, try #require(try await link(Self.added, house)))
    }

    @Test func `where passkeys are off, an app is the first factor of who has a passkey`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in _ = try await house.memberWithPasskey(Self.email) }
        try await withHouse([.passkeys: "off"], store: store) { house in
            let thief = house.visitor(at: "203.0.113.66")
            #expect(try await thief.logIn(email: Self.email).location == "/account")
            let app = house.app(at: "203.0.113.66")
            #expect(try await app.signIn(Self.email).status == .ok)
            #expect(try await app.call(.get, "factors")["second_step"] == "0")
            #expect(try await thief.get(Browser.codesPage).shows("Add an authenticator app first"))
            try await thief.addApp(at: house.clock.now)
            #expect(try await link(Self.addedApp, house) != nil)
        }
    }

    @Test func `where no second step is asked, a passkey is the first factor of who has an app`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in
            try await house.member(Self.email).addApp(at: house.clock.now)
        }
        try await withHouse([.secondFactor: "off"], store: store) { house in
            let thief = house.visitor(at: "203.0.113.66")
            #expect(try await thief.logIn(email: Self.email).location == "/account")
            var key = Authenticator(number: 1)
            try await thief.add(&key)
            #expect(try await link(Self.added, house) != nil)
        }
    }

    @Test func `a page takes back what its own link is about, whatever link the browser opens meanwhile`() async throws
    {
        try await withHouse { house in
            let (thief, _, link) = try await takenOver(house)
            let other = try await house.member("eve@example.com")
            var key = Authenticator(number: 2)
            try await other.add(&key)
            let bait = try #require(try await self.link(Self.added, house, to: "eve@example.com"))
            let owner = house.visitor()
            let page = try await owner.open(link)
            #expect(page.shows("was added to the account a•••@example.com"))
            _ = try await owner.open(bait)
            let done = try await owner.post(Self.page, ["link": try #require(page.link)])
            #expect(done.leads(to: "/reset", saying: .factorTakenBack))
            #expect(try await !thief.isSignedIn())
            #expect(try await other.isSignedIn())
        }
    }

    @Test func `it takes the passkey away, signs everybody out and leads to a new password`() async throws {
        try await withHouse { house in
            let (thief, key, link) = try await takenOver(house)
            let owner = house.visitor()
            let page = try await owner.open(link)
            #expect(page.status == .ok && page.heading == "Wasn&#39;t you?")
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
            #expect(try await thief.isSignedIn())
            let done = try await owner.post(Self.page, [:])
            #expect(done.leads(to: "/reset", saying: .factorTakenBack))
            #expect(try await house.factors(of: Self.email).passkeys.isEmpty)
            #expect(try await !thief.isSignedIn())
            #expect(try await thief.logIn(with: key).status == .unprocessableContent)
            #expect(try await owner.logIn(email: Self.email).status == .unprocessableContent)
            _ = try await house.mailbox.next(
                to: Self.email, subject: "Changes to your account were taken back")
            #expect(try await house.events(of: Self.email).contains { $0.kind == .factorTakenBack })
        }
    }

    @Test func `opening it changes nothing and leaves no token in the address`() async throws {
        try await withHouse { house in
            let (_, _, link) = try await takenOver(house)
            let moved = try await house.visitor().get(link)
            #expect(moved.status == .seeOther && moved.location == Self.page)
            let name = try #require(HTTPField.Name("Referrer-Policy"))
            #expect(moved.headers[values: name] == ["no-referrer"])
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
        }
    }

    @Test func `it takes an app away, too, also one that took its place`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            try await member.addApp(at: house.clock.now)
            let first = try #require(try await link(Self.addedApp, house))
            try await member.submit("\(Browser.appPage)/remove")
            let owner = house.visitor()
            #expect(try await owner.open(first).leads(to: "/login", saying: .factorUndoGone))
            house.clock.advance(by: .seconds(30))
            try await member.addApp(at: house.clock.now)
            #expect(try await owner.open(first).shows("An authenticator app was added to the account a•••@example.com"))
            #expect(try await owner.post(Self.page, [:]).leads(to: "/reset", saying: .factorTakenBack))
            #expect(try await house.factors(of: Self.email).totp == nil)
        }
    }

    @Test func `all that was added since goes, even if the first is gone, and the password opens nothing`() async throws
    {
        try await withHouse { house in
            let (thief, _, link) = try await takenOver(house)
            var second = Authenticator(number: 2)
            try await thief.add(&second)
            try await thief.addApp(at: house.clock.now)
            try await thief.makeRecoveryCodes()
            let first = try await house.factors(of: Self.email).passkeys[0].id
            try await thief.submit("\(Browser.passkeys)/\(first)/remove")
            let owner = house.visitor()
            #expect(try await owner.open(link).heading == "Wasn&#39;t you?")
            #expect(try await owner.post(Self.page, [:]).leads(to: "/reset", saying: .factorTakenBack))
            let left = try await house.factors(of: Self.email)
            #expect(left.passkeys.isEmpty && left.totp == nil && left.recoveryCodes == nil)
            #expect(try await thief.logIn(with: second).status == .unprocessableContent)
            #expect(try await thief.logIn(email: Self.email).status == .unprocessableContent)
            let chosen = "another violet tram of nine"
            try await owner.post("/reset", ["email": Self.email])
            let code = try await house.mailbox.code(for: Self.email, subject: "Your code for a new password")
            try await owner.post(
                "/reset/verify", ["code": code, "password": chosen, "password_confirmation": chosen])
            #expect(try await owner.logIn(email: Self.email, password: chosen).location == "/account")
        }
    }

    @Test func `a passkey that a browser made by itself goes, however old it is`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            var old = Authenticator(number: 3)
            try await member.add(&old, byItself: true)
            house.clock.advance(by: .seconds(4 * 86_400))
            try await member.logIn(email: Self.email)
            try await member.addApp(at: house.clock.now)
            let link = try #require(try await link(Self.addedApp, house))
            let owner = house.visitor()
            _ = try await owner.open(link)
            #expect(try await owner.post(Self.page, [:]).leads(to: "/reset", saying: .factorTakenBack))
            #expect(try await house.factors(of: Self.email).passkeys.isEmpty)
            #expect(try await house.visitor().logIn(with: old).status == .unprocessableContent)
        }
    }

    @Test func `a reset that was proved before sets no password`() async throws {
        try await withHouse { house in
            let (thief, _, link) = try await takenOver(house)
            try await thief.post("/reset", ["email": Self.email])
            let code = try await house.mailbox.code(for: Self.email, subject: "Your code for a new password")
            try await thief.post("/reset/verify", ["code": code])
            let owner = house.visitor()
            _ = try await owner.open(link)
            try await owner.post(Self.page, [:])
            let chosen = "another violet tram of nine"
            try await thief.post("/reset/verify", ["password": chosen, "password_confirmation": chosen])
            #expect(try await thief.logIn(email: Self.email, password: chosen).status == .unprocessableContent)
        }
    }

    @Test func `it works once`() async throws {
        try await withHouse { house in
            let (_, _, link) = try await takenOver(house)
            let owner = house.visitor()
            _ = try await owner.open(link)
            #expect(try await owner.post(Self.page, [:]).leads(to: "/reset", saying: .factorTakenBack))
            let chosen = "another violet tram of nine"
            try await owner.post("/reset", ["email": Self.email])
            let code = try await house.mailbox.code(for: Self.email, subject: "Your code for a new password")
            try await owner.post(
                "/reset/verify", ["code": code, "password": chosen, "password_confirmation": chosen])
            try await owner.logIn(email: Self.email, password: chosen)
            try await owner.addApp(at: house.clock.now)
            let reader = house.visitor(at: "203.0.113.66")
            _ = try await reader.open(link)
            #expect(try await reader.post(Self.page, [:]).leads(to: "/login", saying: .factorUndoGone))
            #expect(try await house.factors(of: Self.email).totp != nil)
        }
    }

    /// The owner signs in with a new password and adds an app.
    private func recovered(_ house: House) async throws -> Browser {
        let owner = house.visitor()
        let chosen = "another violet tram of nine"
        try await owner.post("/reset", ["email": Self.email])
        let code = try await house.mailbox.code(for: Self.email, subject: "Your code for a new password")
        try await owner.post("/reset/verify", ["code": code, "password": chosen, "password_confirmation": chosen])
        #expect(try await owner.logIn(email: Self.email, password: chosen).location == "/account")
        try await owner.addApp(at: house.clock.now)
        return owner
    }

    /// What became of a link that somebody has copied.
    private func used(_ link: String, _ house: House) async throws -> Page {
        let reader = house.visitor(at: "203.0.113.66")
        let page = try await reader.open(link)
        return page.status == .ok ? try await reader.post(Self.page, [:]) : page
    }

    @Test func `after one link was used, an earlier one does nothing, and a later one works`() async throws {
        try await withHouse { house in
            let (thief, _, first) = try await takenOver(house)
            let id = try await house.factors(of: Self.email).passkeys[0].id
            try await thief.submit("\(Browser.passkeys)/\(id)/remove")
            house.clock.advance(by: .seconds(1))
            try await thief.addApp(at: house.clock.now)
            let second = try #require(try await link(Self.addedApp, house))
            #expect(try await used(second, house).leads(to: "/reset", saying: .factorTakenBack))
            house.clock.set(by: 0.25)
            let owner = try await recovered(house)
            let third = try #require(try await link(Self.addedApp, house))
            for old in [first, second] {
                #expect(try await used(old, house).leads(to: "/login", saying: .factorUndoGone))
            }
            #expect(try await owner.isSignedIn())
            #expect(try await used(third, house).leads(to: "/reset", saying: .factorTakenBack))
        }
    }

    @Test(arguments: [259_199, 259_200])
    func `a mail that leaves when its link is over has none`(seconds: Int) async throws {
        try await withHouse { house in
            let thief = try await house.member(Self.email)
            await house.mailbox.fail(.temporary("away"))
            _ = try await thief.addApp(at: house.clock.now)
            try await house.until { try await house.services.store.nextMailDue() == house.clock.now + 5 }
            house.clock.advance(by: .seconds(seconds))
            await house.mailbox.fail(nil)
            // The worker looks for due mails.
            try await house.visitor().signUp(email: "bob@example.com")
            let mail = try await house.mailbox.next(to: Self.email, subject: "An authenticator app was added")
            for text in [mail.text, mail.html] {
                #expect(text.contains("/account/security/undo?token=") == (seconds < 259_200))
                #expect(text.contains("/account/security/totp") == (seconds >= 259_200))
            }
        }
    }

    @Test func `after an operator has removed the factors, an earlier link does nothing`() async throws {
        try await withHouse(logLevel: .debug) { house in
            let (_, _, link) = try await takenOver(house)
            let removal = FactorRemoval(services: house.services)
            _ = try await removal.ask(for: try await house.account(Self.email))
            #expect(try await house.waitingMails() == 0)
            house.clock.advance(by: .seconds(86_400))
            try await house.tidy()
            #expect(try await house.factors(of: Self.email).isEmpty)
            let owner = try await recovered(house)
            #expect(try await used(link, house).leads(to: "/login", saying: .factorUndoGone))
            #expect(try await owner.isSignedIn())
        }
    }

    @Test(arguments: [false, true])
    func `after the mailbox was proved for the first time, an earlier link does nothing`(
        byOperator: Bool
    ) async throws {
        try await withHouse([.verification: "off"]) { house in
            let stranger = house.visitor(at: "203.0.113.66")
            try await stranger.signUp(email: Self.email)
            house.clock.advance(by: .seconds(1))
            try await stranger.addApp(at: house.clock.now)
            let link = try #require(try await link(Self.addedApp, house))
            if byOperator {
                let account = try await house.account(Self.email)
                #expect(try await Administration(services: house.services).verify(account))
            }
            let owner = try await recovered(house)
            #expect(try await used(link, house).leads(to: "/login", saying: .factorUndoGone))
            #expect(try await owner.isSignedIn())
        }
    }

    /// The link in the mail after a reset; nil if it has none.
    private func linkAfterReset(
        _ house: House, _ subject: String = "Your password was changed"
    ) async throws -> String? {
        let owner = house.visitor(at: "192.0.2.77")
        try await owner.post("/reset", ["email": Self.email])
        let code = try await house.mailbox.code(for: Self.email, subject: "Your code for a new password")
        let chosen = "another violet tram of nine"
        try await owner.post("/reset/verify", ["code": code, "password": chosen, "password_confirmation": chosen])
        return try await link(subject, house)
    }

    @Test func `the mail after a reset has the link again, which a thief in the mailbox may have deleted`() async throws
    {
        try await withHouse { house in
            let (thief, first, _) = try await takenOver(house)
            var second = Authenticator(number: 2)
            try await thief.add(&second)
            let id = try await house.factors(of: Self.email).passkeys[0].id
            try await thief.submit("\(Browser.passkeys)/\(id)/remove")
            house.clock.advance(by: .seconds(3 * 86_400 - 3600))
            let link = try #require(try await linkAfterReset(house))
            let owner = house.visitor()
            #expect(try await owner.open(link).shows("was added to the account a•••@example.com"))
            #expect(try await owner.post(Self.page, [:]).leads(to: "/reset", saying: .factorTakenBack))
            for key in [first, second] {
                #expect(try await thief.logIn(with: key).status == .unprocessableContent)
            }
            #expect(try await linkAfterReset(house, "A password was set for your account") == nil)
        }
    }

    @Test func `it ends when the one in the first mail does`() async throws {
        try await withHouse { house in
            _ = try await takenOver(house)
            house.clock.advance(by: .seconds(3 * 86_400 - 3600))
            let link = try #require(try await linkAfterReset(house))
            house.clock.advance(by: .seconds(3600))
            #expect(try await house.visitor().open(link).leads(to: "/login", saying: .factorUndoGone))
            #expect(try await linkAfterReset(house) == nil)
        }
    }

    @Test func `a reset's mail has none for a factor that came in the place of an older one`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            let app = try await member.addApp(at: house.clock.now)
            house.clock.advance(by: .seconds(3 * 86_400))
            let again = house.visitor(at: "203.0.113.8")
            try await again.logIn(email: Self.email)
            try await again.second(code: app.code(at: house.clock.now))
            var key = Authenticator(number: 1)
            try await again.add(&key)
            try await again.submit("\(Browser.appPage)/remove")
            #expect(try await house.factors(of: Self.email).totp == nil)
            #expect(try await linkAfterReset(house) == nil)
        }
    }

    @Test func `a new password ends no link`() async throws {
        try await withHouse { house in
            let (thief, _, link) = try await takenOver(house)
            let chosen = "another violet tram of nine"
            let changed = try await thief.submit(
                "/account/password",
                [
                    "current_password": Browser.goodPassword, "password": chosen, "password_confirmation": chosen,
                ])
            #expect(changed.status == .seeOther)
            #expect(try await used(link, house).leads(to: "/reset", saying: .factorTakenBack))
            #expect(try await house.factors(of: Self.email).isEmpty)
        }
    }

    @Test func `the mail about a second factor has none: the first one is needed`() async throws {
        try await withHouse { house in
            let (member, _) = try await house.memberWithPasskey(Self.email)
            #expect(try await link(Self.added, house) != nil)
            var other = Authenticator(number: 2)
            try await member.add(&other)
            #expect(try await link(Self.added, house) == nil)
            try await member.addApp(at: house.clock.now)
            #expect(try await link(Self.addedApp, house) == nil)
        }
    }

    @Test func `it works for three days`() async throws {
        try await withHouse { house in
            let (_, _, link) = try await takenOver(house)
            let owner = house.visitor()
            _ = try await owner.open(link)
            house.clock.advance(by: .seconds(3 * 86_400))
            #expect(try await owner.post(Self.page, [:]).leads(to: "/login", saying: .factorUndoGone))
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
            #expect(try await house.visitor().get(link).leads(to: "/login", saying: .factorUndoGone))
        }
    }

    @Test func `it takes nothing back of an account that has another address by now`() async throws {
        try await withHouse { house in
            let (member, _, link) = try await takenOver(house)
            try await member.askForEmail("new@example.com")
            try await member.typeEmail(code: house.mailbox.code(for: "new@example.com"))
            #expect(try await house.visitor().open(link).leads(to: "/login", saying: .factorUndoGone))
            #expect(try await house.factors(of: "new@example.com").passkeys.count == 1)
        }
    }

    @Test func `a link that was changed, and none at all, do nothing`() async throws {
        try await withHouse { house in
            let (_, _, link) = try await takenOver(house)
            let changed = String(link.dropLast(4)) + (link.hasSuffix("AAAA") ? "BBBB" : "AAAA")
            #expect(try await house.visitor().open(changed).leads(to: "/login", saying: .factorUndoGone))
            let other = house.visitor()
            try await other.get("/login?lang=en")
            #expect(try await other.get(Self.page).leads(to: "/login", saying: .linkLost))
            #expect(try await other.post(Self.page, [:]).leads(to: "/login", saying: .linkLost))
            let crossed = try await house.visitor().post(Self.page, [:], headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(crossed.status == .forbidden)
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
        }
    }

    @Test func `a disabled account loses what was added, and stays disabled`() async throws {
        try await withHouse { house in
            let (_, key, link) = try await takenOver(house)
            try await house.disable(Self.email)
            let owner = house.visitor()
            let page = try await owner.open(link)
            #expect(page.status == .ok && !page.shows("You choose a new one"))
            #expect(try await owner.post(Self.page, [:]).leads(to: "/login", saying: .factorTakenBackDisabled))
            let mail = try await house.mailbox.next(to: Self.email, subject: "Changes to your account were taken back")
            #expect(mail.text.contains("Your account is still locked") && !mail.text.contains("/reset"))
            #expect(try await house.factors(of: Self.email).passkeys.isEmpty)
            #expect(try await owner.logIn(email: Self.email).status == .unprocessableContent)
            let account = try #require(try await house.services.store.account(.address("ada@example.com"))).account
            #expect(account.disabledAt != nil)
            #expect(try await Administration(services: house.services).enable(account))
            #expect(try await owner.logIn(email: Self.email).status == .unprocessableContent)
            #expect(try await owner.logIn(with: key).status == .unprocessableContent)
        }
    }
}
