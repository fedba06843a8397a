import HTTPTypes
import TestSupport
import Testing

@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct ProfileTests {
    private func rename(_ member: Browser, to name: String) async throws -> Page {
        let csrf = try await member.get("/account").csrf ?? ""
        return try await member.post("/account/profile", ["csrf": csrf, "display_name": name])
    }

    @Test func `the name is changed, on every page and in every browser`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let other = house.visitor()
            try await other.logIn(email: "ada@example.com")
            #expect(try await rename(member, to: "  Ada <King> ").leads(to: "/account", saying: .profileSaved))
            #expect(house.logs.lines(of: "user_updated").last?.contains("kind=profile_changed") == true)
            #expect(try await other.get("/account").shows("Ada &lt;King&gt;"))
            #expect(try await member.get("/account").shows("Your name has been saved."))
        }
    }

    @Test func `a bad name is refused on the page, filled, and nothing changes`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            for (name, sentence) in [
                ("", "Enter your name."), ("\u{AD}\u{3164}\u{200E}\u{200F}", "Enter your name."),
                (String(repeating: "x", count: 65), "Use at most 64 characters."),
                ("a\u{202E}b", "Use a name without control characters or line breaks."),
            ] {
                let page = try await rename(member, to: name)
                #expect(page.status == .unprocessableContent && page.shows(sentence))
                #expect(page.title?.hasPrefix("Error: ") == true && page.shows("aria-invalid=\"true\" autofocus"))
                #expect(!page.shows("class=\"notice\""))
            }
            let kept = try await rename(member, to: "{{7*7}}<script>\u{202E}x")
            #expect(kept.shows("value=\"{{7*7}}&lt;script&gt;"))
            #expect(try await member.get("/account").shows("Ada Lovelace"))
            #expect(try await member.get("/account/profile").location == "/account")
        }
    }

    @Test func `mails stay in their language until the account page is told to send them in its own`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            #expect(try await !member.get("/account").shows("id=\"mail-language\""))
            let german = try await member.get("/account?lang=de")
            #expect(german.shows("Sprache Ihrer E-Mails: English") && german.shows("Auf Deutsch senden"))
            try await changePassword(member, from: Browser.goodPassword, to: "staple horse battery")
            _ = try await house.mailbox.next(to: "ada@example.com", subject: "Your password was changed")

            let csrf = try await member.get("/account").csrf ?? ""
            let told = try await member.post("/account/language", ["csrf": csrf])
            #expect(told.leads(to: "/account", saying: .mailLanguageSaved))
            let page = try await member.get("/account")
            #expect(page.shows("Ab jetzt senden wir Ihre E-Mails auf Deutsch.") && !page.shows("id=\"mail-language\""))
            try await changePassword(member, from: "staple horse battery", to: Browser.goodPassword)
            _ = try await house.mailbox.next(to: "ada@example.com", subject: "Ihr Passwort wurde geändert")
            #expect(try await member.get("/account?lang=en").shows("Language of your emails: Deutsch"))
            #expect(try await member.get("/account/activity").shows("Language of emails changed"))
        }
    }

    private func changePassword(_ member: Browser, from old: String, to new: String) async throws {
        let csrf = try await member.get("/account/password").csrf ?? ""
        let fields = ["csrf": csrf, "current_password": old, "password": new, "password_confirmation": new]
        #expect(try await member.post("/account/password", fields).status == .seeOther)
    }

    @Test func `who changes the language of mails again and again has to wait, on the account page`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let csrf = try await member.get("/account?lang=de").csrf ?? ""
            var page = try await member.post("/account/language", ["csrf": csrf])
            for _ in 0..<100 where page.status == .seeOther {
                page = try await member.post("/account/language", ["csrf": csrf])
            }
            #expect(page.status == .tooManyRequests && page.shows("Ihr Konto") && page.shows("value=\"Ada Lovelace\""))
            #expect(try await member.get("/account/language").location == "/account")
        }
    }
}
