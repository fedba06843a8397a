import HTTPTypes
import Testing
import Vestibule

@Suite(.timeLimit(.minutes(3)))
struct EmailUndoTests {
    private static let newPassword = "staple horse battery correct"

    /// Somebody else got in and took the account to an address of their own.
    private func theft(_ house: House, to stolen: String = "thief@example.net") async throws -> (Browser, String) {
        _ = try await house.member("ada@example.com")
        let thief = house.visitor(at: "198.51.100.9")
        try await thief.logIn(email: "ada@example.com")
        try await thief.askForEmail(stolen)
        try await thief.typeEmail(code: house.mailbox.code(for: stolen))
        return (thief, try await link(house, "ada@example.com"))
    }

    private func link(_ house: House, _ address: String) async throws -> String {
        let mail = try await house.mailbox.next(to: address, subject: "Your email address was changed")
        let found = mail.text.firstMatch(of: /\/account\/email\/undo\?token=[A-Za-z0-9_-]+/)
        return String(try #require(found).output)
    }

    private func undo(_ visitor: Browser, _ link: String, password: String = newPassword) async throws -> Page {
        let token = link.split(separator: "=").last.map(String.init) ?? ""
        return try await visitor.post(
            "/account/email/undo",
            ["token": token, "password": password, "password_confirmation": password]
        )
    }

    @Test func `the old mailbox takes the account back, and the thief is out`() async throws {
        try await withHouse { house in
            let (thief, link) = try await theft(house)
            house.clock.advance(by: .seconds(7 * 86_400 - 1))
            try await thief.logIn(email: "thief@example.net")
            let owner = house.visitor()
            let page = try await owner.get(link)
            #expect(page.status == .ok && page.shows("a•••@example.com"))
            #expect(try await thief.isSignedIn())
            #expect(try await undo(owner, link).location == "/login?notice=email-restored")
            #expect(try await !thief.isSignedIn())
            #expect(try await thief.logIn(email: "thief@example.net").status == .unprocessableContent)
            #expect(try await thief.logIn(email: "ada@example.com").status == .unprocessableContent)
            #expect(try await owner.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
            #expect(try await owner.get("/account").shows("ada@example.com"))
        }
    }

    @Test func `the displaced address is told, and failures prepared for the owner are forgotten`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let (_, link) = try await theft(house)
            for _ in 0..<100 { try await house.visitor().logIn(email: "ada@example.com", password: "guess") }
            #expect(try await undo(house.visitor(), link).location == "/login?notice=email-restored")
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
            let link = try await link(house, "thief@example.net")
            #expect(try await undo(house.visitor(), link).location == "/login?notice=undo-gone")
            #expect(try await undo(thief, link).location == "/account?notice=undo-gone")
        }
    }

    @Test func `it works once and for seven days, and a refused password keeps it`() async throws {
        try await withHouse { house in
            let (_, link) = try await theft(house)
            let owner = house.visitor()
            let weak = try await undo(owner, link, password: "password")
            #expect(weak.status == .unprocessableContent && weak.shows("href=\"#new-password\""))
            #expect(try await undo(owner, link).location == "/login?notice=email-restored")
            #expect(try await undo(owner, link).location == "/login?notice=undo-gone")
            #expect(try await owner.get(link).location == "/login?notice=undo-gone")
        }
        try await withHouse { house in
            let (thief, link) = try await theft(house)
            house.clock.advance(by: .seconds(7 * 86_400))
            #expect(try await house.visitor().get(link).location == "/login?notice=undo-gone")
            #expect(try await undo(house.visitor(), link).location == "/login?notice=undo-gone")
            #expect(try await thief.logIn(email: "thief@example.net").status == .seeOther)
        }
    }

    @Test func `the first owner wins over a chain of changes`() async throws {
        try await withHouse { house in
            let (thief, owners) = try await theft(house)
            house.clock.advance(by: .seconds(60))
            try await thief.askForEmail("thief@example.org")
            try await thief.typeEmail(code: house.mailbox.code(for: "thief@example.org"))
            let thiefs = try await link(house, "thief@example.net")
            #expect(try await undo(house.visitor(), owners).location == "/login?notice=email-restored")
            #expect(try await undo(thief, thiefs).location == "/login?notice=undo-gone")
        }
        try await withHouse { house in
            let (thief, owners) = try await theft(house)
            house.clock.advance(by: .seconds(60))
            try await thief.askForEmail("thief@example.org")
            try await thief.typeEmail(code: house.mailbox.code(for: "thief@example.org"))
            let thiefs = try await link(house, "thief@example.net")
            #expect(try await undo(thief, thiefs).location == "/login?notice=email-restored")
            #expect(try await undo(house.visitor(), owners).location == "/login?notice=email-restored")
            let owner = house.visitor()
            #expect(try await owner.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
        }
    }

    @Test func `an address that another account has by now locks the thief out all the same`() async throws {
        try await withHouse { house in
            let (thief, link) = try await theft(house)
            _ = try await house.member("ada@example.com")
            #expect(try await undo(house.visitor(), link).location == "/login?notice=undo-taken")
            #expect(try await !thief.isSignedIn())
            #expect(try await thief.logIn(email: "thief@example.net").status == .unprocessableContent)
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
            _ = try await house.mailbox.next(to: "thief@example.net", subject: "Your account is locked")
            let kinds = try await house.events(of: "thief@example.net").map(\.kind)
            #expect(kinds.contains(.emailUndoLocked) && !kinds.contains(.emailRestored))
            let email = try #require(EmailAddress("thief@example.net"))
            let locked = try #require(try await house.needs.store.account(.address(email)))
            #expect(try await Administration(needs: house.needs).enable(locked.account))
            #expect(try await thief.logIn(email: "thief@example.net").status == .unprocessableContent)
        }
    }

    @Test func `garbage and strangers' tokens lead to login`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            for token in ["", "x", String(repeating: "A", count: 43), "{{7*7}}", "' OR 1=1"] {
                let query = Browser.escaped(token)
                let page = try await visitor.get("/account/email/undo?token=\(query)")
                #expect(page.location == "/login?notice=undo-gone")
                #expect(try await undo(visitor, "=\(token)").location == "/login?notice=undo-gone")
            }
        }
    }
}
