import Crypto
import Foundation
import HTTPTypes
import Testing
import Vestibule
import VestibuleSQLite

@Suite(.timeLimit(.minutes(3)))
struct TermsTests {
    @Test func `consent is kept with version, text, time, language and address`() async throws {
        let store = try sharedStore()
        try await withHouse(store: store) { house in
            let visitor = house.visitor(at: "203.0.113.9")
            let fields = Browser.signupFields(email: "ada@example.com")
            try await visitor.post("/signup", fields, headers: ["Accept-Language": "de"])
            try await visitor.type(code: house.mailbox.code(for: "ada@example.com"))
            let account = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: []).account
            let overview = try await store.accountOverview(
                accountID: account?.id ?? "", events: 50, now: house.clock.now)
            let consent = try #require(overview.consents.first)
            let page = try await visitor.get("/terms", headers: ["Accept-Language": "de"])
            #expect(consent.version == "1" && consent.locale == "de" && consent.address == "203.0.113.9")
            #expect(consent.acceptedAt == house.clock.now)
            #expect(consent.textDigest == [UInt8](SHA256.hash(data: Array(page.body.utf8))))
        }
    }

    @Test(arguments: ["/", "/login", "/signup", "/account"])
    func `raised terms come first wherever the visitor wants to go`(path: String) async throws {
        let store = try sharedStore()
        let away: [Setting: String] = [.termsVersion: "2", .afterLoginURL: "https://app.example/home"]
        try await withHouse(store: store) { house in _ = try await house.member("ada@example.com") }
        try await withHouse(away, store: store) { house in
            let member = house.visitor()
            let login = try await member.logIn(email: "ada@example.com")
            #expect(login.location == "/account/terms?return_to=https%3A//app.example/home")
            #expect(try await member.get(path).location?.hasPrefix("/account/terms") == true)
            let csrf = try await member.get("/account/terms").csrf ?? ""
            let accepted = try await member.post(
                "/account/terms", ["csrf": csrf, "terms": "accepted", "return_to": "https://app.example/home"]
            )
            #expect(accepted.location == "https://app.example/home")
        }
    }

    @Test func `raised terms are asked for at the next login, before anything else`() async throws {
        let store = try sharedStore()
        try await withHouse(store: store) { house in _ = try await house.member("ada@example.com") }
        try await withHouse([.termsVersion: "2"], store: store) { house in
            let member = house.visitor()
            try await member.logIn(email: "ada@example.com", returnTo: "/account")
            #expect(try await member.get("/account").location == "/account/terms?return_to=/account")
            let page = try await member.get("/account/terms?return_to=/account")
            let csrf = page.csrf ?? ""
            let refused = try await member.post("/account/terms", ["csrf": csrf])
            #expect(refused.status == .unprocessableContent && refused.title?.hasPrefix("Error: ") == true)
            #expect(try await member.get("/account").status == .seeOther)
            let accepted = try await member.post(
                "/account/terms", ["csrf": csrf, "terms": "accepted", "return_to": "/account"]
            )
            #expect(accepted.location == "/account")
            #expect(try await member.isSignedIn())
            let again = house.visitor()
            try await again.logIn(email: "ada@example.com")
            #expect(try await again.isSignedIn())
        }
    }
}
