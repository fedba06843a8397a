import HTTPTypes
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct StaleFormTests {
    private static let sentence = "This page was out of date. Check and send again."

    /// A member, and the token of the session they had before.
    private func member(_ house: House) async throws -> (Browser, String) {
        let member = try await house.member("ada@example.com")
        let old = try await member.get("/account").csrf ?? ""
        _ = try await member.logOut()
        try await member.logIn(email: "ada@example.com")
        try await member.get("/account")
        return (member, old)
    }

    @Test(arguments: [
        ("/account/profile", ["display_name": "Ada King"]),
        ("/account/email", ["email": "new@example.com", "current_password": Browser.goodPassword]),
        (
            "/account/password",
            [
                "current_password": Browser.goodPassword, "password": "staple horse battery correct",
                "password_confirmation": "staple horse battery correct",
            ]
        ),
        ("/account/delete", ["confirm": "delete", "current_password": Browser.goodPassword]),
    ])
    func `a form from before the last sign-in comes back filled, without passwords`(
        path: String, fields: [String: String]
    ) async throws {
        try await withHouse { house in
            let (member, old) = try await member(house)
            var fields = fields
            fields["csrf"] = old
            let page = try await member.post(path, fields)
            #expect(page.status == .unprocessableContent && page.shows(Self.sentence))
            #expect(page.title?.hasPrefix("Error: ") == true)
            for (name, value) in fields where ["display_name", "email", "confirm"].contains(name) {
                #expect(page.shows("value=\"\(value)\""))
            }
            #expect(!page.shows(Browser.goodPassword) && !page.shows("staple horse"))
            #expect(try await member.isSignedIn())
            #expect(await house.mailbox.count(to: "new@example.com") == 0)
            fields["csrf"] = page.csrf
            #expect(try await member.post(path, fields).status == .seeOther)
        }
    }

    @Test(arguments: [
        ("/account/export", "/account/data"), ("/account/sessions/end-others", "/account/devices"),
        ("/account/sessions/x/end", "/account/devices"),
    ])
    func `a button from before the last sign-in leads to its page, which says why`(
        path: String, page: String
    ) async throws {
        try await withHouse { house in
            let (member, old) = try await member(house)
            #expect(try await member.post(path, ["csrf": old]).leads(to: page, saying: .formStale))
            #expect(try await member.get(page).notice == Self.sentence)
        }
    }

    @Test func `a form that never stood on a page of ours is refused`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            for token in ["", "x", String(repeating: "A", count: 44)] {
                let page = try await member.post("/account/profile", ["csrf": token, "display_name": "Eve"])
                #expect(page.status == .forbidden)
            }
        }
    }
}
