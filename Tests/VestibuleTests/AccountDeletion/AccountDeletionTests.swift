import HTTPTypes
import Testing
import Vestibule

@Suite(.timeLimit(.minutes(1)))
struct AccountDeletionTests {
    private func delete(
        _ member: Browser, password: String = Browser.goodPassword, confirm: String = "delete"
    ) async throws -> Page {
        let csrf = try await member.get("/account/delete").csrf ?? ""
        return try await member.post(
            "/account/delete", ["csrf": csrf, "current_password": password, "confirm": confirm])
    }

    @Test func `everything is erased, the owner is told, and the address is free at once`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let elsewhere = house.visitor()
            try await elsewhere.logIn(email: "ada@example.com")
            try await member.askForEmail("new@example.com")
            let gone = try await delete(member, confirm: " Delete ")
            #expect(gone.location == "/?notice=account-deleted")
            #expect(try await member.get("/?notice=account-deleted").shows("role=\"status\""))
            _ = try await house.mailbox.next(to: "ada@example.com", subject: "Your account has been deleted")
            for path in ["/account", "/account/email", "/account/delete"] {
                #expect(try await elsewhere.get(path).location?.hasPrefix("/login") == true)
            }
            #expect(try await elsewhere.post("/account/profile", ["display_name": "x"]).location == "/login")
            #expect(try await elsewhere.logIn(email: "ada@example.com").status == .unprocessableContent)
            #expect(try await house.events(of: "ada@example.com").isEmpty)
            #expect(house.logs.lines(of: "user_deleted").count == 1)
            let again = try await house.member("ada@example.com", password: "another horse entirely here")
            #expect(try await again.isSignedIn())
        }
    }

    @Test func `the password and the word are asked for`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let wordless = try await delete(member, confirm: "yes")
            #expect(wordless.status == .unprocessableContent && wordless.shows("Type the word delete to confirm."))
            let wrong = try await delete(member, password: "guess")
            #expect(wrong.status == .unprocessableContent && wrong.shows("That is not your current password."))
            #expect(wrong.shows("value=\"delete\"") && !wrong.shows("guess"))
            let forged = ["current_password": Browser.goodPassword, "confirm": "delete"]
            #expect(try await member.post("/account/delete", forged).status == .forbidden)
            #expect(try await member.isSignedIn())
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
                    #expect(
                        ["/?notice=account-deleted", "/login"].contains(page.location)
                            || page.status == .unprocessableContent)
                }
            }
            #expect(house.logs.lines(of: "user_deleted").count == 1)
        }
    }
}
