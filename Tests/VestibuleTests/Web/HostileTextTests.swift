import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// Texts made of a quote or a bracket and a mark beside it, which together are another letter by
/// `Character`.
@Suite(.timeLimit(.minutes(15)))
struct HostileTextTests {
    private static let attribute = "a\"\u{301} zqx=\"1@b.c"
    private static let element = "\"\u{301}>\u{301}\u{600}<plaintext zqx \u{600}>"

    private func isHarmless(_ page: Page) -> Bool {
        !page.body.holds("\" zqx") && !page.body.holds("\"\u{301}") && !page.body.holds("<plaintext")
    }

    @Test(arguments: ["/login", "/reset", "/signup"], [attribute, element])
    func `an address that is typed makes no tag and no attribute`(path: String, email: String) async throws {
        try await withHouse { house in
            let page = try await house.visitor().post(path, ["email": email, "display_name": email, "password": "x"])
            #expect(page.status == .unprocessableContent && page.body.holds("zqx") && isHarmless(page))
        }
    }

    @Test(arguments: [attribute, element])
    func `nor do the forms of somebody who is signed in`(typed: String) async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let csrf = try await member.get("/account").csrf ?? ""
            let password = Browser.goodPassword
            for (path, fields) in [
                ("/account/profile", ["display_name": typed + "\u{600}"]),
                ("/account/email", ["email": typed, "current_password": password]),
                ("/account/delete", ["confirm": typed, "current_password": password]),
            ] {
                let page = try await member.post(path, fields.merging(["csrf": csrf]) { $1 })
                #expect(page.status == .unprocessableContent && page.body.holds("zqx") && isHarmless(page), "\(path)")
            }
        }
    }

    @Test func `a stranger's user agent puts no tag on the account page`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let stranger = house.visitor(at: "203.0.113.9")
            for agent in [
                "%E0%B5%8E<plaintext%20%E0%B5%8E>/1", "\u{D4E}<plaintext \u{D4E}>/1", "x%E2%80%AEy/1",
                "%CC%81<plaintext>/1",
            ] {
                let fields = ["email": "ada@example.com", "password": "wrong"]
                try await stranger.post("/login", fields, headers: ["User-Agent": agent])
            }
            let page = try await member.get("/account/activity")
            #expect(page.status == .ok && page.body.holds("203.0.113.9") && isHarmless(page))
            #expect(!page.body.unicodeScalars.contains { $0.properties.generalCategory == .format && $0 != "\u{AD}" })
        }
    }

    @Test func `a user agent is kept without what steers a terminal or hides what follows`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let fields = ["email": "ada@example.com", "password": "wrong"]
            try await member.post(
                "/login", fields, headers: ["User-Agent": "A\u{9B}31m\u{202E}B\u{600}\u{D4E}C\u{E0041}/1"])
            #expect(try await house.events(of: "ada@example.com").contains { $0.userAgent == "A31mBC/1" })
        }
    }

    @Test func `a name keeps what it is spelled with`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let csrf = try await member.get("/account").csrf ?? ""
            let name = "می\u{200C}خواهم <\u{338}&\u{301}"
            let page = try await member.post("/account/profile", ["csrf": csrf, "display_name": name])
            #expect(page.leads(to: "/account", saying: .profileSaved))
            // Composed, `<` and the stroke behind it are a letter of their own.
            #expect(try await member.get("/account").body.holds("می\u{200C}خواهم \u{226E}&amp;\u{301}"))
        }
    }
}
