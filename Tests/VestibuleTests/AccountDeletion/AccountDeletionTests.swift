import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct AccountDeletionTests {
    private func delete(
        _ member: Browser, password: String = Browser.goodPassword, confirm: String = "delete"
    ) async throws -> Page {
        let csrf = try await member.get("/account/delete").csrf ?? ""
        return try await member.post(
            "/account/delete", ["csrf": csrf, "current_password": password, "confirm": confirm])
    }

    @Test(arguments: ["", "\u{200B}"])
    func `an empty word is never right`(shown: String) {
        for typed in ["", " ", "\u{200B}"] { #expect(!DeletionWord(shown: shown).matches(typed)) }
        #expect(DeletionWord(shown: shown).matches("delete"))
    }

    @Test func `everything is erased, the owner is told, and the address is free at once`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let elsewhere = house.visitor()
            try await elsewhere.logIn(email: "ada@example.com")
            try await member.askForEmail("new@example.com")
            let gone = try await delete(member, confirm: " Delete ")
            #expect(gone.leads(to: "/", saying: .accountDeleted))
            #expect(try await member.get("/").shows("Your account has been deleted."))
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your account has been deleted")
            #expect(mail.text.contains("    IP address: 192.0.2.1\n    Browser: "))
            #expect(mail.html.contains(">192.0.2.1</bdi>"))
            for path in ["/account", "/account/email", "/account/delete"] {
                #expect(try await elsewhere.get(path).location?.hasPrefix("/login") == true)
            }
            let late = try await elsewhere.post("/account/profile", ["display_name": "x"])
            #expect(late.leads(to: "/login?return_to=/account", saying: .signInFirst))
            #expect(
                try await elsewhere.get(late.location ?? "").shows("You have been signed out. Please sign in again."))
            #expect(try await elsewhere.logIn(email: "ada@example.com").status == .unprocessableContent)
            #expect(try await house.events(of: "ada@example.com").isEmpty)
            #expect(house.logs.lines(of: "user_deleted").count == 1)
            let again = try await house.member("ada@example.com", password: "another horse entirely here")
            #expect(try await again.isSignedIn())
        }
    }

    @Test func `the mailbox that could have taken a new address back reads of the deletion, too`() async throws {
        try await withHouse { house in
            let thief = try await house.member("ada@example.com")
            try await thief.askForEmail("thief@example.com")
            try await thief.typeEmail(code: house.mailbox.code(for: "thief@example.com"))
            #expect(try await delete(thief).leads(to: "/", saying: .accountDeleted))
            for (address, isFormer) in [("thief@example.com", false), ("ada@example.com", true)] {
                let mail = try await house.mailbox.next(to: address, subject: "Your account has been deleted")
                for text in [mail.text, mail.html] {
                    #expect(text.contains("In the days before it was deleted") == isFormer)
                }
            }
        }
    }

    @Test(arguments: ["open", "closed"])
    func `a new account is promised only where one can be made`(signup: String) async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { _ = try await $0.member("ada@example.com") }
        try await withHouse([.signup: signup], store: store) { house in
            let member = house.visitor()
            try await member.logIn(email: "ada@example.com")
            let page = try await member.get("/account/delete")
            #expect(page.shows("You can create a new account") == (signup == "open"))
            #expect(try await delete(member).status == .seeOther)
            let mail = try await house.mailbox.next(
                to: "ada@example.com", subject: "Your account has been deleted")
            for text in [mail.text, mail.html] {
                #expect(text.contains("You can create a new account") == (signup == "open"))
            }
        }
    }

    @Test func `the password and the word are asked for`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let wordless = try await delete(member, confirm: "yes")
            #expect(wordless.status == .unprocessableContent && wordless.shows("Type the word “delete” to confirm."))
            let empty = try await delete(member, password: "", confirm: "")
            #expect(empty.shows("Enter your current password.") && empty.shows("Type the word “delete” to confirm."))
            let wrong = try await delete(member, password: "guess")
            #expect(wrong.status == .unprocessableContent && wrong.shows("That&#39;s not your current password."))
            #expect(wrong.shows("value=\"delete\"") && !wrong.shows("guess"))
            let forged = ["current_password": Browser.goodPassword, "confirm": "delete"]
            #expect(try await member.post("/account/delete", forged).status == .forbidden)
            #expect(try await member.isSignedIn())
        }
    }

    @Test(arguments: [
        ("de", "löschen"), ("de", " LÖSCHEN "), ("de", "lo\u{308}schen"), ("de", "LO\u{308}SCHEN"), ("de", "Delete"),
        ("ar", "حذف"), ("ar", "\u{200F}حذف\u{200F}"), ("ar", "DELETE"), ("en", "de\u{AD}lete"),
    ])
    func `the word of the page's language deletes, and the English one`(language: String, word: String) async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let asked = try await member.get("/account/delete?lang=\(language)")
            #expect(asked.shows(["de": "„löschen“", "ar": "«حذف»"][language] ?? "“delete”"))
            let gone = try await delete(member, confirm: word)
            #expect(gone.status == .seeOther)
            #expect(try await !member.isSignedIn())
        }
    }

    @Test func `other words, and words of other languages, delete nothing`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            _ = try await member.get("/account/delete?lang=de")
            for word in ["", "loschen", "loeschen", "حذف", "löschen!", "lo\u{308}\u{308}schen"] {
                let page = try await delete(member, confirm: word)
                #expect(page.status == .unprocessableContent)
                #expect(page.shows("Geben Sie zur Bestätigung das Wort „löschen“ ein."), "\(word)")
            }
            _ = try await member.get("/account/delete?lang=en")
            #expect(try await delete(member, confirm: "löschen").status == .unprocessableContent)
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `requests under way when the account goes end at login, not in a fault`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            for number in 0..<5 {
                let email = "ada\(number)@example.com"
                let member = try await house.member(email)
                let csrf = try await member.get("/account/delete").csrf ?? ""
                let cookies = await member.cookies
                try await withThrowingTaskGroup(of: Page.self) { group in
                    for path in ["profile", "delete", "email", "profile", "password", "profile"] {
                        group.addTask {
                            let tab = house.visitor()
                            for (name, value) in cookies { await tab.set(name, value) }
                            return try await tab.post(
                                "/account/\(path)",
                                [
                                    "csrf": csrf, "current_password": Browser.goodPassword, "confirm": "delete",
                                    "display_name": "Ada", "email": "new@example.com",
                                    "password": "staple horse battery", "password_confirmation": "staple horse battery",
                                ])
                        }
                    }
                    group.addTask { try await house.visitor().logIn(email: email) }
                    for try await page in group { #expect(page.status.code < 500, "\(page.body.prefix(300))") }
                }
            }
        }
    }

    @Test func `an owner who declines raised terms can still leave with their data, and others stay known here`()
        async throws
    {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in
            _ = try await house.member("ada@example.com")
            _ = try await house.member("bob@example.com")
        }
        try await withHouse([.termsVersion: "2"], store: store) { house in
            let browser = house.visitor()
            try await browser.logIn(email: "bob@example.com")
            let csrfOfBob = try await browser.get("/account/terms").csrf ?? ""
            try await browser.post("/logout", ["csrf": csrfOfBob])
            #expect(try await browser.logIn(email: "ada@example.com").location?.hasPrefix("/account/terms") == true)
            let csrf = try await browser.get("/account/terms").csrf ?? ""
            #expect(try await browser.post("/account/export", ["csrf": csrf]).headers[.contentDisposition] != nil)
            #expect(try await delete(browser).leads(to: "/", saying: .accountDeleted))
            let kept = await browser.cookies["vestibule-device"]
            #expect(kept.map { $0.split(separator: ".").count } == 2)
        }
    }

    @Test func `deleted twice at once, it happens once`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let csrf = try await member.get("/account/delete").csrf ?? ""
            let cookies = await member.cookies
            try await withThrowingTaskGroup(of: Page.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        let tab = house.visitor()
                        for (name, value) in cookies { await tab.set(name, value) }
                        return try await tab.post(
                            "/account/delete",
                            ["csrf": csrf, "current_password": Browser.goodPassword, "confirm": "delete"])
                    }
                }
                for try await page in group {
                    let isExpected =
                        page.leads(to: "/", saying: .accountDeleted) || page.location?.hasPrefix("/login") == true
                    #expect(isExpected || page.status == .unprocessableContent)
                }
            }
            #expect(house.logs.lines(of: "user_deleted").count == 1)
        }
    }
}
