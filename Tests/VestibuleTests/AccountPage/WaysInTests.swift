import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// What the page of ways to sign in says of each.
@Suite(.timeLimit(.minutes(15)))
struct WaysInTests {
    private static let email = "ada@example.com"
    private static let page = "/account/security"

    private static func time(_ date: Date) -> String { "<time datetime=\"\(date.formatted(.iso8601))\">" }

    @Test func `each way says when it was added and last used`() async throws {
        try await withHouse { house in
            let (owner, _) = try await house.memberWithPasskey(Self.email)
            let start = house.clock.now
            house.clock.advance(by: .seconds(60))
            let app = try await owner.addApp(at: house.clock.now)
            let code = try #require(try await owner.makeRecoveryCodes().recoveryCodes.first)
            let added = house.clock.now
            var page = try await owner.get(Self.page)
            #expect(page.shows("Set \(Self.time(start))"))
            #expect(page.shows("</bdi></strong> <bdi class=\"address\">·&nbsp;Added \(Self.time(start))"))
            #expect(page.shows("Added \(Self.time(added))") && page.shows("Made \(Self.time(added))"))
            #expect(!page.shows("Last used"))
            house.clock.advance(by: .seconds(90))
            for answer in [code, app.code(at: house.clock.now)] {
                let visitor = house.visitor(at: "203.0.113.7")
                try await visitor.logIn(email: Self.email)
                #expect(try await visitor.second(code: answer).location == "/account")
            }
            page = try await owner.get(Self.page)
            let used = "Last used \(Self.time(house.clock.now))"
            // Of the password, the app and the codes.
            #expect(page.body.components(separatedBy: used).count == 4)
            for path in ["totp", "recovery-codes"] {
                #expect(try await owner.get("\(Self.page)/\(path)").shows(used))
            }
        }
    }

    @Test(arguments: ["passkeys", "totp", "recovery-codes"])
    func `the page of each leads back to all`(path: String) async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            let page = try await member.get("\(Self.page)/\(path)")
            #expect(page.shows("<a href=\"\(Self.page)\" aria-current=\"true\">"))
        }
    }

    @Test func `a passkey that was never used shows no other one's time`() async throws {
        try await withHouse { house in
            let (owner, used) = try await house.memberWithPasskey(Self.email)
            var unused = Authenticator(number: 9)
            try await owner.add(&unused)
            try await house.visitor().logIn(with: used)
            let page = try await owner.get("\(Self.page)/passkeys")
            #expect(page.body.components(separatedBy: "Last used <time").count == 2)
        }
    }

    @Test func `where a second step is asked for, no passkey says that the password works alone`() async throws {
        try await withHouse { house in
            let owner = try await house.member(Self.email)
            var key = Authenticator(number: 9)
            try await owner.add(&key, byItself: true)
            #expect(try await owner.get("\(Self.page)/passkeys").shows("You can still sign in without it"))
            try await owner.addApp(at: house.clock.now)
            #expect(try await !owner.get("\(Self.page)/passkeys").shows("You can still sign in without it"))
        }
    }

    @Test func `a right password that stops at the second step is a use`() async throws {
        try await withHouse { house in
            let (owner, _) = try await house.memberWithPasskey(Self.email)
            house.clock.advance(by: .seconds(120))
            #expect(try await house.visitor(at: "203.0.113.66").logIn(email: Self.email).location == "/login/second")
            #expect(try await owner.get(Self.page).shows("Last used \(Self.time(house.clock.now))"))
        }
    }

    @Test func `a new password has not been used yet`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            try await house.visitor().logIn(email: Self.email)
            #expect(try await member.get(Self.page).shows("Last used"))
            house.clock.advance(by: .seconds(60))
            let fields = [
                "current_password": Browser.goodPassword, "password": "seven bridges over a violet tram",
                "password_confirmation": "seven bridges over a violet tram",
            ]
            #expect(try await member.submit("/account/password", fields).status == .seeOther)
            let page = try await member.get(Self.page)
            #expect(page.shows("Set \(Self.time(house.clock.now))") && !page.shows("Last used"))
        }
    }
}

/// The same, of providers.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderTimesTests {
    @Test func `a provider says when it was added and last used, also before a second step`() async throws {
        try await withProviders { house, _ in
            let owner = house.visitor()
            try await owner.signUpThroughExample()
            #expect(try await !owner.get("/account/security").shows("Last used"))
            house.clock.advance(by: .seconds(5))
            try await house.visitor().comeFromExample()
            let page = try await owner.get("/account/security")
            #expect(page.shows("Last used <time datetime=\"\(house.clock.now.formatted(.iso8601))\">"))
            #expect(page.shows("Added <time datetime=\""))
            var key = Authenticator(number: 1)
            #expect(try await owner.add(&key).status == .seeOther)
            house.clock.advance(by: .seconds(5))
            #expect(try await house.visitor().comeFromExample().location == "/login/second")
            let again = try await owner.get("/account/security")
            #expect(again.shows("Last used <time datetime=\"\(house.clock.now.formatted(.iso8601))\">"))
        }
    }

    @Test func `a provider that gave no address leaves no empty line`() async throws {
        try await withProviders { house, standIn in
            let member = try await house.member("ada@example.com")
            let link = try #require(try await member.get("/account/security").linkToProvider("link", "apple"))
            try await member.comeFromApple(.init(sub: "ada", email: nil), standIn, path: link)
            let page = try await member.get("/account/security")
            #expect(page.shows("Apple</h2>\n<p class=\"hint\"><bdi class=\"address\">Added "))
        }
    }
}
