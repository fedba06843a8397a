import HTTPTypes
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
            let kept = try await rename(member, to: "{{7*7}}<script>\u{202E}")
            #expect(kept.shows("value=\"{{7*7}}&lt;script&gt;"))
            #expect(try await member.get("/account").shows("Ada Lovelace"))
            #expect(try await member.get("/account/profile").location == "/account")
        }
    }
}
