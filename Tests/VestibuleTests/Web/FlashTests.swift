import HTTPTypes
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct FlashTests {
    private static let cookie = "vestibule-flash"
    private static let saved = "Your name has been saved."

    private func rename(_ member: Browser) async throws -> Page {
        let csrf = try await member.get("/account").csrf ?? ""
        return try await member.post("/account/profile", ["csrf": csrf, "display_name": "Ada King"])
    }

    @Test func `what was done is said once, before the title too, and is gone on reload`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            try await member.get("/account")
            let done = try await rename(member)
            let line = try #require(done.headers[values: .setCookie].first { $0.hasPrefix(Self.cookie) })
            #expect(line.contains("HttpOnly") && line.contains("SameSite=Lax") && line.contains("Max-Age=120"))
            #expect(!line.contains("profile"))
            let page = try await member.get("/account")
            #expect(page.notice == Self.saved && page.title == "Saved: Your account · Vestibule")
            #expect(page.shows("id=\"notice\" role=\"status\" tabindex=\"-1\" data-prefix=\"Saved:\" autofocus"))
            #expect(page.headers[.cacheControl] == "no-store")
            let again = try await member.get("/account")
            #expect(again.notice == nil && again.title == "Your account · Vestibule")
            #expect(again.headers[values: .setCookie].isEmpty)
        }
    }

    @Test func `a long way on does not swallow it, and what nobody looks at leaves it`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            let wish = "/account?x=" + String(repeating: "&", count: 900)
            try await visitor.post("/reset", ["email": "ada@example.com", "return_to": wish])
            let code = try await house.mailbox.code(for: "ada@example.com")
            let new = "staple horse battery correct"
            let form = ["code": code, "password": new, "password_confirmation": new]
            let done = try await visitor.post("/reset/verify", form)
            #expect(done.flash?.notice == .passwordChanged && (done.location ?? "").utf8.count > 2048)
            for headers in [["Purpose": "prefetch"], ["Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors"]] {
                try await visitor.get("/login", headers: headers)
            }
            #expect(try await visitor.get("/login").notice != nil)
        }
    }

    @Test func `a page that is kept for everybody says it to this visitor alone`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            await visitor.set("of-another-site", "x")
            try await visitor.get("/account/email/undo")
            let page = try await visitor.get("/login", headers: ["Accept-Language": "de"])
            #expect(page.notice?.hasPrefix("Bitte öffnen Sie den Link") == true)
            #expect(page.title == "Fehler: Anmelden · Vestibule" && page.shows("role=\"alert\""))
            #expect(page.headers[.cacheControl] == "no-store" && page.headers[.eTag] == nil)
            #expect(try await visitor.get("/login").notice == nil)
            #expect(try await house.visitor().get("/login").notice == nil)
        }
    }

    @Test func `nobody makes our pages say anything with a link or a cookie of their own`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            try await member.get("/account")
            for query in ["notice=profile-saved", "notice=password-replaced&kept=evil&removed=x"] {
                #expect(try await member.get("/account?\(query)").notice == nil)
                #expect(try await house.visitor().get("/login?\(query)").notice == nil)
            }
            _ = try await rename(member)
            let sealed = await member.cookies[Self.cookie] ?? ""
            // Another end than its own: the last characters may hold no more than one random byte.
            let otherEnd = String(sealed.dropLast(4)) + (sealed.dropLast().hasSuffix("AAA") ? "BBBB" : "AAAA")
            for forged in ["", "x", otherEnd, #"{"notice":"profile_saved"}"#] {
                await member.set(Self.cookie, forged)
                let page = try await member.get("/account")
                #expect(page.status == .ok && page.notice == nil)
                #expect(await member.cookies[Self.cookie] == nil)
            }
            house.clock.advance(by: .seconds(121))
            await member.set(Self.cookie, sealed)
            #expect(try await member.get("/account").notice == nil)
        }
    }

    @Test func `it waits for a page that somebody sees`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            _ = try await rename(member)
            try await member.get("/css/vestibule.css")
            try await member.get("/account", headers: ["Sec-Purpose": "prefetch;prerender"])
            try await member.send(.head, "/account")
            try await member.get("/login")
            #expect(try await member.get("/account").notice == Self.saved)
        }
    }

    @Test func `what leads to another site leaves nothing behind`() async throws {
        try await withHouse([.verification: "off", .afterLoginURL: "https://app.example/"]) { house in
            let visitor = house.visitor()
            let done = try await visitor.signUp(email: "ada@example.com")
            #expect(done.location == "https://app.example/")
            #expect(await visitor.cookies[Self.cookie] == nil)
        }
    }
}
