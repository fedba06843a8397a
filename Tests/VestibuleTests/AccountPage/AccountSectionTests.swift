import HTTPTypes
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct AccountSectionTests {
    private static let sections = ["", "/security", "/devices", "/activity", "/data"].map { "/account\($0)" }

    @Test func `every section has an address, a title and its place in one navigation`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            try await member.get("/account")
            var titles: Set<String> = []
            var headings: Set<String> = []
            for section in Self.sections {
                let page = try await member.get(section)
                #expect(page.status == .ok)
                headings.insert(page.heading ?? "")
                #expect(page.shows(#"<a href="\#(section)" aria-current="page">"#))
                #expect(page.body.matches(of: /aria-current/).count == 1)
                for other in Self.sections { #expect(page.shows(#"<a href="\#(other)""#)) }
                titles.insert(page.title ?? "")
            }
            #expect(titles.count == Self.sections.count)
            #expect(headings == ["Your account", "Security", "Devices", "Activity", "Your data"])
            #expect(
                titles.contains("Your account · Vestibule") && titles.contains("Devices – Your account · Vestibule"))
        }
    }

    private static let forms = [
        "/account/password", "/account/email", "/account/delete", "/account/security/totp",
        "/account/security/passkeys", "/account/security/recovery-codes",
    ]

    @Test(arguments: sections + forms)
    func `a page of the account signs out, leads back to the sections, and is kept nowhere`(
        path: String
    ) async throws {
        try await withHouse { house in
            let page = try await house.member("ada@example.com").get(path)
            #expect(page.status == .ok)
            let back = Self.sections.contains { page.shows(#"href="\#($0)""#) }
            #expect(page.shows(#"<form id="logout" class="sign-out" action="/logout" method="post""#))
            #expect(back, "no way back")
            #expect(page.headers[.cacheControl] == "no-store" && page.headers[.eTag] == nil)
        }
    }

    @Test func `a page that asks for the password first signs out, too`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            house.clock.advance(by: .seconds(11 * 60))
            let page = try await member.get("/account/security/totp")
            #expect(page.shows("Confirm it") && page.shows(#"<form id="logout" class="sign-out" action="/logout""#))
            try await member.post("/logout", ["csrf": page.csrf ?? ""])
            #expect(try await !member.isSignedIn())
        }
    }

    /// The server takes such a passkey only from a session of a password.
    @Test func `a browser is asked to make a passkey by itself only after a sign-up with a password`() async throws {
        try await withProviders { house, _ in
            let (plain, provided) = (house.visitor(), house.visitor())
            try await plain.signUp(email: "grace@example.com")
            try await plain.type(code: house.mailbox.code(for: "grace@example.com"))
            try await provided.signUpThroughExample()
            for (visitor, isAsked) in [(plain, true), (provided, false)] {
                let page = try await visitor.get("/account")
                #expect(page.shows("<a href=\"/account/security/passkeys\">"))
                #expect(page.shows("id=\"passkey-upgrade\"") == isAsked)
            }
        }
    }

    @Test func `devices and activity show the IP address whole, as the mail does`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            try await house.visitor(at: "203.0.113.7").logIn(email: "ada@example.com")
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "New sign-in to your account")
            #expect(mail.text.contains("203.0.113.7"))
            for path in ["/account/devices", "/account/activity"] {
                #expect(try await member.get(path).shows("<bdi dir=\"ltr\">203.0.113.7</bdi>"), "\(path)")
            }
        }
    }

    @Test func `strangers are led back to the section they asked for`() async throws {
        try await withHouse { house in
            for section in Self.sections {
                let led = try await house.visitor().get(section)
                #expect(led.location == "/login?return_to=\(section)")
            }
        }
    }

    @Test func `a device is a line, and times are a date of the language and a time for programs`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            try await house.visitor().logIn(email: "ada@example.com")
            house.clock.advance(by: .seconds(3600))
            let page = try await member.get("/account/devices")
            let device = /<span class="device" id="session-[^"]+"><bdi>Firefox on Linux<\/bdi>/
            #expect(page.body.matches(of: device).count == 2)
            #expect(page.body.matches(of: />Active now<\/time>/).count == 1)
            let time =
                /<time datetime="(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"[^>]*>\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC</
            #expect(page.body.matches(of: time).count >= 3)
            let german = try await member.get("/account/activity", headers: ["Accept-Language": "de"])
            #expect(german.body.firstMatch(of: /">\d{1,2}\. [A-Z][a-zä]+ \d{4}, \d\d:\d\d Uhr \(UTC\)<\/time>/) != nil)
        }
    }

    @Test func `many devices are folded`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let member = try await house.member("ada@example.com")
            for _ in 0..<8 { try await house.visitor().logIn(email: "ada@example.com") }
            let page = try await member.get("/account/devices")
            let parts = page.body.split(separator: #"<details class="older">"#)
            #expect(parts.map { $0.matches(of: /id="session-/).count } == [5, 4])
        }
    }
}
