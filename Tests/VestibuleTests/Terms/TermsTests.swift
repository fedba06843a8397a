import Crypto
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct TermsTests {
    /// Of the password of all tests, made elsewhere.
    private static let hash = "$2b$05$9GcCDHd5fzNoVoGXzYUWcOrOAnGbdi6CcC/CCp6EXuwCND3Qvg0AW"

    @Test func `consent is kept with version, text, time, language and address`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in
            let visitor = house.visitor(at: "203.0.113.9")
            let fields = Browser.signupFields(email: "ada@example.com")
            try await visitor.post("/signup", fields, headers: ["Accept-Language": "de"])
            try await visitor.type(code: house.mailbox.code(for: "ada@example.com"))
            let account = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: []).account
            let overview = try await store.accountOverview(
                accountID: account?.id ?? "", events: 50, now: house.clock.now)
            let consent = try #require(overview.consents.first)
            let terms = try await house.app().call(.get, "terms", headers: ["Accept-Language": "de"])
            let text = try #require(terms["text"])
            #expect(consent.version == "1" && consent.locale == "de" && consent.address == IPAddress("203.0.113.9"))
            #expect(consent.acceptedAt == house.clock.now)
            #expect(consent.textDigest == [UInt8](SHA256.hash(data: Array(text.utf8))))
        }
    }

    @Test func `who agrees to the same words after a change of the page's foot agrees to the same text`() async throws {
        let (store, clock) = (try await sharedStore(), TestClock())
        let contact: [Setting: String] = [.supportEmail: "help@example.com"]
        for (address, settings) in [("ada@example.com", [:]), ("bob@example.com", contact)] {
            try await withHouse(settings, store: store, clock: clock) { house in
                let member = try await house.member(address)
                #expect(try await member.get("/terms").body.contains("mailto:") == !settings.isEmpty)
            }
        }
        var digests: [[UInt8]] = []
        for address in ["ada@example.com", "bob@example.com"] {
            let account = try await store.loginRecord(emailKey: address, failuresKey: []).account
            let overview = try await store.accountOverview(
                accountID: account?.id ?? "", events: 50, now: clock.now)
            digests += overview.consents.map(\.textDigest)
        }
        #expect(digests.count == 2 && digests[0] == digests[1])
    }

    @Test(arguments: ["/", "/login", "/signup", "/account"])
    func `raised terms come first wherever the visitor wants to go`(path: String) async throws {
        let store = try await sharedStore()
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

    @Test func `terms that were accepted before leave no trace when they are accepted again`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let id = try await house.account("ada@example.com").id
            let csrf = try await member.get("/account").csrf ?? ""
            let page = try await member.post("/account/terms", ["csrf": csrf, "terms": "accepted"])
            #expect(page.location == "/account")
            let overview = try await house.services.store.accountOverview(
                accountID: id, events: 50, now: house.clock.now)
            #expect(overview.consents.count == 1 && !overview.events.contains { $0.kind == .termsAccepted })
        }
    }

    @Test func `a form sent while raised terms wait leads to them`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in _ = try await house.member("ada@example.com") }
        try await withHouse([.termsVersion: "2"], store: store) { house in
            let member = house.visitor()
            try await member.logIn(email: "ada@example.com")
            let csrf = try await member.get("/account/terms").csrf ?? ""
            let refused = try await member.post("/account/profile", ["csrf": csrf, "display_name": "Countess"])
            #expect(refused.location == "/account/terms?return_to=/account")
        }
    }

    @Test(arguments: [
        ("en", true, "Our terms", "Please read and accept them to continue."),
        ("en", false, "The terms have changed", "Please read and accept the new terms"),
        ("de", true, "Unsere Nutzungsbedingungen", "Bitte lesen und akzeptieren Sie sie,"),
        ("de", false, "Neue Bedingungen", "akzeptieren Sie die neuen Bedingungen"),
    ])
    func `who never accepted any terms does not read that they have changed`(
        locale: String, isFirst: Bool, title: String, words: String
    ) async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in
            if isFirst {
                let line = #"{"address":"ada@example.com","verified":true,"hash":"\#(Self.hash)"}"#
                #expect(try await Importer(store: store).run([line]).summary.imported == 1)
            } else {
                _ = try await house.member("ada@example.com")
            }
        }
        try await withHouse([.termsVersion: "2"], store: store) { house in
            let member = house.visitor()
            let language = ["Accept-Language": locale]
            let login = ["email": "ada@example.com", "password": Browser.goodPassword]
            #expect(
                try await member.post("/login", login, headers: language).location?.hasPrefix("/account/terms") == true)
            let page = try await member.get("/account/terms", headers: language)
            #expect(page.title?.hasPrefix(title) == true && page.heading == title && page.shows(words))
            let refused = try await member.post("/account/terms", ["csrf": page.csrf ?? ""], headers: language)
            #expect(refused.status == .unprocessableContent && refused.heading == title)
        }
    }

    @Test func `raised terms are asked for at the next login, before anything else`() async throws {
        let store = try await sharedStore()
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
