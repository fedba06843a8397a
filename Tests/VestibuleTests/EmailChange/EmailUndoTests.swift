import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct EmailUndoTests {
    private static let newPassword = "staple horse battery correct"
    private static let codeSubject = "Your code to take your account back"

    /// Somebody else got in and took the account to an address of their own.
    private func theft(
        _ house: House, of owner: Browser? = nil, to stolen: String = "thief@example.net", guesses: Int = 0
    ) async throws -> (Browser, String) {
        if owner == nil { _ = try await house.member("ada@example.com") }
        let thief = house.visitor(at: "198.51.100.9")
        try await thief.logIn(email: "ada@example.com")
        try await thief.askForEmail(stolen)
        for _ in 0..<guesses { try await house.visitor().logIn(email: "ada@example.com", password: "guess") }
        try await thief.typeEmail(code: house.mailbox.code(for: stolen))
        return (thief, try await link(house, "ada@example.com"))
    }

    private func link(_ house: House, _ address: String) async throws -> String {
        let mail = try await house.mailbox.next(to: address, subject: "Your email address was changed")
        let found = mail.text.firstMatch(of: /\/account\/email\/undo\?token=[A-Za-z0-9_-]+/)
        return String(try #require(found).output)
    }

    /// The whole way back, or as far as it leads: the link, a code from the mailbox, a new
    /// password.
    private func undo(
        _ visitor: Browser, _ link: String, _ house: House, at address: String = "ada@example.com",
        password: String = newPassword
    ) async throws -> Page {
        let page = try await visitor.open(link)
        guard page.status == .ok else { return page }
        let asked = try await visitor.askForUndoCode()
        guard asked.status == .seeOther else { return asked }
        let code = try await house.mailbox.code(for: address, subject: Self.codeSubject)
        return try await visitor.undoEmail(code: code, password: password)
    }

    @Test func `the old mailbox takes the account back, and the thief is out`() async throws {
        try await withHouse { house in
            let (thief, link) = try await theft(house)
            house.clock.advance(by: .seconds(7 * 86_400 - 1))
            try await thief.logIn(email: "thief@example.net")
            let owner = house.visitor()
            let page = try await owner.open(link)
            #expect(page.status == .ok && page.shows("a•••@example.com"))
            #expect(try await thief.isSignedIn())
            #expect(try await undo(owner, link, house).leads(to: "/login", saying: .emailRestored))
            #expect(try await !thief.isSignedIn())
            #expect(try await thief.logIn(email: "thief@example.net").status == .unprocessableContent)
            #expect(try await thief.logIn(email: "ada@example.com").status == .unprocessableContent)
            #expect(try await owner.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
            #expect(try await owner.get("/account").shows("ada@example.com"))
        }
    }

    @Test func `a page sends its code to the address of its own link, whatever link the browser opens meanwhile`()
        async throws
    {
        try await withHouse { house in
            let (_, link) = try await theft(house)
            let other = try await house.member("eve@example.com")
            try await other.askForEmail("mallory@example.com")
            try await other.typeEmail(code: house.mailbox.code(for: "mallory@example.com"))
            let bait = try await self.link(house, "eve@example.com")
            let owner = house.visitor()
            let page = try await owner.open(link)
            _ = try await owner.open(bait)
            try await owner.post("/account/email/undo", ["link": try #require(page.link)])
            let code = try await house.mailbox.code(for: "ada@example.com", subject: Self.codeSubject)
            #expect(
                try await owner.undoEmail(code: code, password: Self.newPassword)
                    .leads(to: "/login", saying: .emailRestored))
        }
    }

    @Test func `a passkey that was added before the change goes, and an older one stays and is named`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            var (old, new) = (Authenticator(number: 1), Authenticator(number: 2))
            try await member.add(&old, name: "Blue key")
            house.clock.advance(by: .seconds(4 * 86_400))
            let thief = house.visitor(at: "198.51.100.9")
            #expect(try await thief.logIn(with: old).location == "/account")
            try await thief.add(&new, name: "Red key")
            #expect(try await house.factors(of: "ada@example.com").passkeys.count == 2)
            house.clock.advance(by: .seconds(1))
            try await thief.askForEmail("thief@example.net")
            try await thief.typeEmail(code: house.mailbox.code(for: "thief@example.net"))
            let owner = house.visitor()
            let link = try await link(house, "ada@example.com")
            #expect(try await undo(owner, link, house).leads(to: "/login", saying: .emailRestored))
            #expect(try await house.factors(of: "ada@example.com").passkeys.map(\.name) == ["Blue key"])
            #expect(try await thief.logIn(with: new).status == .unprocessableContent)
            let kept = "These passkeys still sign you in: Blue key."
            #expect(try await owner.get("/login").shows(kept))
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your email address is restored")
            #expect(mail.text.contains(kept))
        }
    }

    @Test func `the displaced address is told, and failures prepared for the owner are forgotten`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let (_, link) = try await theft(house, guesses: 1)
            for _ in 0..<100 { try await house.visitor().logIn(email: "ada@example.com", password: "guess") }
            #expect(try await undo(house.visitor(), link, house).leads(to: "/login", saying: .emailRestored))
            #expect(try await house.failuresInARow("ada@example.com") == 0)
            let visitor = house.visitor()
            #expect(try await visitor.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
            _ = try await house.mailbox.next(
                to: "thief@example.net", subject: "This address was removed from your account")
        }
    }

    @Test func `an owner who changes back leaves the thief no way in`() async throws {
        try await withHouse { house in
            let owner = try await house.member("ada@example.com")
            let thief = house.visitor()
            try await thief.logIn(email: "ada@example.com")
            try await thief.askForEmail("thief@example.net")
            try await thief.typeEmail(code: house.mailbox.code(for: "thief@example.net"))
            house.clock.advance(by: .seconds(60))
            try await owner.askForEmail("ada@example.com")
            let mail = try await house.mailbox.next(
                to: "ada@example.com", subject: "Your code for the new email address")
            try await owner.typeEmail(code: String(mail.text.firstMatch(of: /\b\d{6}\b/)?.output ?? ""))
            #expect(try await owner.get("/account").shows("ada@example.com"))
            let told = try await house.mailbox.next(to: "thief@example.net", subject: "Your email address was changed")
            #expect(told.text.contains("a•••@example.com"))
            for text in [told.text, told.html] { #expect(!text.contains("undo") && !text.contains("7 days")) }
        }
    }

    @Test func `it works once and for seven days, and a refused password keeps it`() async throws {
        try await withHouse { house in
            let (_, link) = try await theft(house)
            let owner = house.visitor()
            let weak = try await undo(owner, link, house, password: "password")
            #expect(weak.status == .unprocessableContent && weak.shows("aria-invalid=\"true\" autofocus"))
            #expect(try await undo(owner, link, house).leads(to: "/login", saying: .emailRestored))
            #expect(try await undo(owner, link, house).leads(to: "/login", saying: .undoGone))
            #expect(try await owner.get(link).leads(to: "/login", saying: .undoGone))
        }
        try await withHouse { house in
            let (thief, link) = try await theft(house)
            house.clock.advance(by: .seconds(7 * 86_400))
            #expect(try await house.visitor().get(link).leads(to: "/login", saying: .undoGone))
            #expect(try await undo(house.visitor(), link, house).leads(to: "/login", saying: .undoGone))
            #expect(try await thief.logIn(email: "thief@example.net").status == .seeOther)
        }
    }

    /// A thief who changes the address twice, and the links of the owner and of the thief.
    private func doubleTheft(_ house: House) async throws -> (thief: Browser, owners: String, thiefs: String) {
        let (thief, owners) = try await theft(house)
        house.clock.advance(by: .seconds(60))
        try await thief.askForEmail("thief@example.org")
        try await thief.typeEmail(code: house.mailbox.code(for: "thief@example.org"))
        return (thief, owners, try await link(house, "thief@example.net"))
    }

    @Test func `the first owner wins over a chain of changes`() async throws {
        try await withHouse { house in
            let (thief, owners, thiefs) = try await doubleTheft(house)
            #expect(try await undo(house.visitor(), owners, house).leads(to: "/login", saying: .emailRestored))
            #expect(
                try await undo(thief, thiefs, house, at: "thief@example.net").leads(to: "/login", saying: .undoGone))
        }
        try await withHouse { house in
            let (thief, owners, thiefs) = try await doubleTheft(house)
            #expect(
                try await undo(thief, thiefs, house, at: "thief@example.net").leads(
                    to: "/login", saying: .emailRestored)
            )
            #expect(try await undo(house.visitor(), owners, house).leads(to: "/login", saying: .emailRestored))
            let owner = house.visitor()
            #expect(try await owner.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
        }
    }

    @Test func `an address that another account has by now locks the thief out all the same`() async throws {
        try await withHouse { house in
            let (thief, link) = try await theft(house)
            _ = try await house.member("ada@example.com")
            let done = try await undo(house.visitor(), link, house)
            #expect(done.leads(to: "/login", saying: .undoTaken))
            // Of the account that has the address now, this browser knows nothing.
            #expect(done.headers[values: .setCookie].allSatisfy { !$0.hasPrefix("vestibule-device=") })
            #expect(try await !thief.isSignedIn())
            #expect(try await thief.logIn(email: "thief@example.net").status == .unprocessableContent)
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
            _ = try await house.mailbox.next(to: "thief@example.net", subject: "Your account is locked")
            let kinds = try await house.events(of: "thief@example.net").map(\.kind)
            #expect(kinds.contains(.emailUndoLocked) && !kinds.contains(.emailRestored))
            let email = "thief@example.net" as EmailAddress
            let locked = try #require(try await house.services.store.account(.address(email)))
            #expect(try await Administration(services: house.services).enable(locked.account))
            #expect(try await thief.logIn(email: "thief@example.net").status == .unprocessableContent)
        }
    }

    @Test func `the same link takes the address back once the account that had it is deleted`() async throws {
        try await withHouse { house in
            let (thief, link) = try await theft(house)
            let account = try await house.account("thief@example.net")
            let squatter = try await house.member("ada@example.com")
            let owner = house.visitor()
            #expect(try await undo(owner, link, house).leads(to: "/login", saying: .undoTaken))
            try await squatter.submit(
                "/account/delete", ["confirm": "delete", "current_password": Browser.goodPassword])
            #expect(try await undo(owner, link, house).leads(to: "/login", saying: .emailRestoredDisabled))
            #expect(try await owner.get(link).leads(to: "/login", saying: .undoGone))
            #expect(try await Administration(services: house.services).enable(account))
            #expect(try await owner.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
            #expect(try await thief.logIn(email: "thief@example.net").status == .unprocessableContent)
        }
    }

    private func disabled(_ house: House, at address: EmailAddress = "thief@example.net") async throws -> Account {
        let account = try #require(try await house.services.store.account(.address(address))).account
        #expect(try await Administration(services: house.services).disable(account))
        return account
    }

    @Test func `a disabled account takes its address back, and stays disabled until an operator enables it`()
        async throws
    {
        try await withHouse { house in
            let (thief, link) = try await theft(house)
            let account = try await disabled(house)
            let owner = house.visitor()
            let done = try await undo(owner, link, house)
            #expect(done.leads(to: "/login", saying: .emailRestoredDisabled))
            #expect(
                done.headers[values: .setCookie].allSatisfy { !$0.hasPrefix("vestibule=") || $0.contains("Max-Age=0") })
            for somebody in [owner, thief] { #expect(try await !somebody.isSignedIn()) }
            let refused = try await owner.logIn(email: "ada@example.com", password: Self.newPassword)
            #expect(refused.status == .unprocessableContent)
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your email address is restored")
            #expect(mail.text.contains("Your account is still locked") && !mail.text.contains("/login"))
            #expect(try await Administration(services: house.services).enable(account))
            #expect(try await owner.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
            #expect(try await thief.logIn(email: "thief@example.net").status == .unprocessableContent)
        }
    }

    @Test func `a thief who takes an earlier address of a disabled account back does not shut the owner out`()
        async throws
    {
        try await withHouse { house in
            let (thief, owners, thiefs) = try await doubleTheft(house)
            let account = try await disabled(house, at: "thief@example.org")
            #expect(
                try await undo(thief, thiefs, house, at: "thief@example.net").leads(
                    to: "/login", saying: .emailRestoredDisabled))
            let refused = try await thief.logIn(email: "thief@example.net", password: Self.newPassword)
            #expect(refused.status == .unprocessableContent)
            #expect(
                try await undo(house.visitor(), owners, house, password: "owner horse battery staple").leads(
                    to: "/login", saying: .emailRestoredDisabled))
            #expect(try await Administration(services: house.services).enable(account))
            for address in ["ada@example.com", "thief@example.net"] {
                let page = try await thief.logIn(email: address, password: Self.newPassword)
                #expect(page.status == .unprocessableContent)
            }
        }
    }

    @Test func `garbage and strangers' tokens lead to login`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            for token in ["", "x", String(repeating: "A", count: 43), "{{7*7}}", "' OR 1=1"] {
                let query = Browser.escaped(token)
                let page = try await visitor.get("/account/email/undo?token=\(query)")
                #expect(page.leads(to: "/login", saying: .undoGone))
                #expect(page.headers[values: .setCookie].allSatisfy { $0.hasPrefix("vestibule-flash=") })
            }
            await visitor.set("vestibule-link", "undo.\(String(repeating: "A", count: 43))")
            #expect(try await visitor.askForUndoCode().leads(to: "/login", saying: .undoGone))
            await visitor.set("vestibule-link", "reset.\(String(repeating: "A", count: 43))")
            #expect(try await visitor.askForUndoCode().leads(to: "/login", saying: .linkLost))
            await visitor.set("vestibule-flow", "u\(String(repeating: "A", count: 43))")
            let page = try await visitor.undoEmail(code: "123456", password: Self.newPassword)
            #expect(page.location == "/account/email/undo")
        }
    }

    @Test func `opening the link moves its token into a cookie, and sends nothing`() async throws {
        try await withHouse { house in
            let (_, link) = try await theft(house)
            let token = try #require(link.split(separator: "=").last.map(String.init))
            let mails = await house.mailbox.count(to: "ada@example.com")
            let owner = house.visitor()
            let moved = try await owner.get(link)
            #expect(moved.status == .seeOther && moved.location == "/account/email/undo")
            let policy = HTTPField.Name("Referrer-Policy")
            #expect(moved.headers[values: try #require(policy)] == ["no-referrer"])
            #expect(moved.headers[.cacheControl] == "no-store")
            let cookie = try #require(moved.headers[values: .setCookie].first)
            for part in ["vestibule-link=undo.\(token)", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=1800"] {
                #expect(cookie.split(separator: ";").contains { $0.drop { $0 == " " } == part })
            }
            let page = try await owner.get("/account/email/undo?lang=de")
            #expect(page.status == .ok && !page.shows(token) && page.shows("Waren Sie das nicht?"))
            #expect(page.headers[values: try #require(policy)] == ["same-origin"])
            #expect(try await owner.get("/account/email/undo/verify").location == "/account/email/undo")
            _ = try await house.waitingMails()
            #expect(await house.mailbox.count(to: "ada@example.com") == mails)
        }
    }

    @Test func `a browser that keeps no cookies is told so`() async throws {
        try await withHouse { house in
            let (_, link) = try await theft(house)
            let visitor = house.visitor()
            try await visitor.get(link)
            await visitor.forget("vestibule-link")
            let page = try await visitor.get("/account/email/undo")
            #expect(page.status == .ok && page.shows("your browser blocks cookies") && !page.shows("Start over"))
        }
    }

    @Test func `the link alone is not enough: it takes the code from the mailbox, in that browser`() async throws {
        try await withHouse { house in
            let (thief, link) = try await theft(house)
            let finder = house.visitor(at: "198.51.100.77")
            _ = try await finder.open(link)
            #expect(try await finder.askForUndoCode().location == "/account/email/undo/verify")
            let code = try await house.mailbox.code(for: "ada@example.com", subject: Self.codeSubject)
            let wrong = code == "123456" ? "654321" : "123456"
            for _ in 0..<4 {
                let page = try await finder.undoEmail(code: wrong, password: Self.newPassword)
                #expect(page.status == .unprocessableContent && page.shows("That code is wrong or has expired."))
            }
            for last in [wrong, code] {
                let spent = try await finder.undoEmail(code: last, password: Self.newPassword)
                #expect(spent.shows("Too many wrong codes, so this one no longer works."))
            }
            let other = house.visitor()
            _ = try await other.open(link)
            try await other.askForUndoCode()
            #expect(try await other.undoEmail(code: code, password: Self.newPassword).status == .unprocessableContent)
            #expect(try await thief.isSignedIn())
        }
    }

    @Test func `a code works for ten minutes, and another one can be sent`() async throws {
        try await withHouse { house in
            let (_, link) = try await theft(house)
            let owner = house.visitor()
            _ = try await owner.open(link)
            try await owner.askForUndoCode()
            let first = try await house.mailbox.code(for: "ada@example.com", subject: Self.codeSubject)
            house.clock.advance(by: .seconds(600))
            #expect(try await owner.undoEmail(code: first, password: Self.newPassword).status == .unprocessableContent)
            let again = try await owner.post("/account/email/undo/resend", [:])
            #expect(again.leads(to: "/account/email/undo/verify", saying: .codeSentAgain))
            let second = try await house.mailbox.code(for: "ada@example.com", subject: Self.codeSubject)
            let done = try await owner.undoEmail(code: second, password: Self.newPassword)
            #expect(done.leads(to: "/login", saying: .emailRestored))
            #expect(await owner.cookies.keys.contains { $0.hasSuffix("-link") || $0.hasSuffix("-flow") } == false)
        }
    }

    @Test func `who asks again before the first mail got out gets one mail, whose code works`() async throws {
        try await withHouse { house in
            let (_, link) = try await theft(house)
            #expect(try await house.waitingMails() == 0)
            let before = await house.mailbox.count(to: "ada@example.com")
            await house.mailbox.fail(.deferred("busy"))
            let owner = house.visitor()
            _ = try await owner.open(link)
            for _ in 0..<2 { #expect(try await owner.askForUndoCode().status == .seeOther) }
            try await house.endMailOutage()
            let code = try await house.mailbox.code(for: "ada@example.com", subject: Self.codeSubject)
            #expect(try await house.waitingMails() == 0)
            #expect(await house.mailbox.count(to: "ada@example.com") == before + 1)
            let done = try await owner.undoEmail(code: code, password: Self.newPassword)
            #expect(done.leads(to: "/login", saying: .emailRestored))
        }
    }

    @Test func `strangers who use up the limits of the address keep no owner out`() async throws {
        try await withHouse { house in
            let (_, link) = try await theft(house)
            for number in 1...20 {
                try await house.visitor(at: "203.0.113.\(number)").post("/reset", ["email": "ada@example.com"])
            }
            let flooded = try await house.visitor(at: "203.0.113.99").post("/reset", ["email": "ada@example.com"])
            #expect(flooded.status == .tooManyRequests)
            #expect(try await undo(house.visitor(), link, house).leads(to: "/login", saying: .emailRestored))
        }
    }

    @Test func `who has a copy of the link keeps its owner from no code`() async throws {
        try await withHouse { house in
            let (_, link) = try await theft(house)
            try await useUp(link, house)
            let owner = house.visitor(at: "192.0.2.77")
            #expect(try await undo(owner, link, house).leads(to: "/login", saying: .emailRestored))
        }
    }

    @Test func `nor one who uses up the limits of the address as well, in the owner's own browser`() async throws {
        try await withHouse { house in
            let owner = try await house.member("ada@example.com")
            let (_, link) = try await theft(house, of: owner)
            try await useUp(link, house)
            for number in 1...10 {
                try await house.visitor(at: "198.51.100.\(number)").post("/reset", ["email": "ada@example.com"])
            }
            let stranger = house.visitor(at: "192.0.2.77")
            _ = try await stranger.open(link)
            #expect(try await stranger.askForUndoCode().status == .tooManyRequests)
            #expect(try await undo(owner, link, house).leads(to: "/login", saying: .emailRestored))
        }
    }

    /// What the link may send by itself. The mails count as read.
    private func useUp(_ link: String, _ house: House) async throws {
        let thief = house.visitor(at: "203.0.113.9")
        _ = try await thief.open(link)
        for _ in 0..<3 {
            #expect(try await thief.askForUndoCode().status == .seeOther)
            _ = try await house.mailbox.code(for: "ada@example.com", subject: Self.codeSubject)
        }
    }

    @Test func `codes to a former mailbox are limited like any other`() async throws {
        try await withHouse { house in
            let (_, link) = try await theft(house)
            let visitor = house.visitor()
            _ = try await visitor.open(link)
            var statuses: [Int] = []
            for _ in 0..<7 { statuses.append(Int(try await visitor.askForUndoCode().status.code)) }
            // By the link, and then as a stranger's.
            #expect(statuses == Array(repeating: 303, count: 6) + [429])
        }
    }
}
