import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// Walks through the site under a path, sends its forms, and looks at every link there is.
@Suite("Mount: every link", .timeLimit(.minutes(15)))
struct MountedCrawlTests {
    /// Pages that need more than a click.
    private static let starts = [
        "/", "/nowhere", "/signup/verify", "/reset/verify", "/reset/continue", "/auth/continue",
        "/auth/example?lang=de",
        "/account/confirm", "/account/export", "/account/terms", "/account/email/verify", "/account/email/undo",
        "/account/email/undo/verify", "/.well-known/change-password", "/signup/resend", "/reset/resend",
        "/account/sessions/end-others", "/account/profile", "/js/vestibule.js", "/css/vestibule.css",
    ]

    @Test func `no link leads out of the path`() async throws {
        try await withProviders([.publicURL: "http://localhost:8080/door"]) { house, standIn in
            let stranger = Crawl(browser: house.visitor(), allowed: [standIn.base, "otpauth://totp/"])
            try await stranger.walk(from: Self.starts)
            let member = try await house.member("ada@example.com")
            try await member.post("/reset", ["email": "ada@example.com"])
            let crawl = Crawl(browser: member, allowed: [standIn.base, "otpauth://totp/"])
            try await crawl.walk(from: Self.starts)
            #expect(await stranger.outside == [])
            #expect(await crawl.outside == [])
            let pages = await stranger.seen.union(crawl.seen)
            for page in ["/login", "/terms", "/account/devices", "/account/delete", "/account/data", "/signup"] {
                #expect(pages.contains("/door\(page)"), "\(page)")
            }
            #expect(pages.count > 40)
        }
    }

    @Test func `with proofs grown old, the questions lead back under the path`() async throws {
        try await withProviders([.publicURL: "http://localhost:8080/door"]) { house, standIn in
            let member = try await house.member("ada@example.com")
            house.clock.advance(by: .seconds(3600))
            let crawl = Crawl(browser: member, allowed: [standIn.base, "otpauth://totp/"])
            try await crawl.walk(from: Self.starts)
            #expect(await crawl.outside == [])
            #expect(await crawl.seen.contains("/door/account/confirm"))
        }
    }
}
