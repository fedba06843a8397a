import Foundation
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// `VESTIBULE_OWNER`, `VESTIBULE_SUPPORT_URL` and `VESTIBULE_SUPPORT_EMAIL`
@Suite(.timeLimit(.minutes(15)))
struct SupportTests {
    private static let page = "https://example.com/help?a&b"
    private static let link = "href=\"https://example.com/help?a&amp;b\""

    @Test func `whom to ask stands on every page, in mails, at errors and on the privacy page`() async throws {
        try await withHouse([.owner: "Birch & Sons", .supportURL: Self.page]) { house in
            let visitor = house.visitor()
            for path in ["/", "/login", "/privacy", "/nowhere"] {
                let shown = try await visitor.get(path)
                #expect(shown.shows("<a \(Self.link)>Help</a>") && shown.shows("Run by Birch &amp; Sons"), "\(path)")
            }
            for path in ["/privacy", "/nowhere"] {
                #expect(try await visitor.get(path).shows("<a \(Self.link)>Ask Birch &amp; Sons</a>"), "\(path)")
            }
            try await visitor.signUp(email: "ada@example.com")
            let mail = try await house.mailbox.next(to: "ada@example.com")
            #expect(mail.text.contains("Run by Birch & Sons\nNeed help? \(Self.page)"))
            #expect(mail.html.contains(Self.link) && mail.html.contains("Run by Birch &amp; Sons"))
        }
    }

    @Test func `a mail from an error page is about its reference`() async throws {
        try await withHouse([.supportEmail: "help@example.com"]) { house in
            let page = try await house.visitor().get("/nowhere")
            let reference = try #require(page.body.firstMatch(of: /reference: <code>([^<]+)</)).output.1
            #expect(page.shows("href=\"mailto:help@example.com?subject=\(reference)\">Ask Vestibule</a>"))
        }
    }

    @Test func `where nobody is named there is no link`() async throws {
        try await withHouse { house in
            let page = try await house.visitor().get("/nowhere")
            #expect(!page.shows(">Help<") && !page.shows("Run by"))
            #expect(page.shows("Need help? Contact the people who run this site."))
        }
    }

    @Test func `somebody who has lost all factors is told whom to ask, and sees the address`() async throws {
        try await withHouse([.supportURL: Self.page]) { house in
            _ = try await house.memberWithPasskey("Ada@example.com")
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: "ada@example.com")
            let page = try await visitor.get("/login/second")
            #expect(page.shows("use it? <a \(Self.link)>Ask Vestibule</a>") && page.shows(">Ada@example.com</bdi>"))
        }
    }

    @Test func `the privacy page says how long the settings keep things`() async throws {
        let settings: [Setting: String] = [
            .activityLifetime: "90d", .sessionIdle: "90m", .sessionLifetime: "48h", .rememberIdle: "7d",
        ]
        try await withHouse(settings) { house in
            let english = try await house.visitor().get("/privacy")
            #expect(english.shows("Erased after 90\u{A0}days."))
            #expect(english.shows("Ends after 90 minutes without use, after 2\u{A0}days in any case."))
            #expect(english.shows("after 7\u{A0}days without use, after 30\u{A0}days in any case."))
            let german = try await house.visitor().get("/privacy", headers: ["Accept-Language": "de"])
            #expect(german.shows("Wird nach 90\u{A0}Tagen gelöscht."))
        }
    }
}
