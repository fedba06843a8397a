import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// `/account/security/passkeys`
@Suite(.timeLimit(.minutes(15)))
struct PasskeyRegistrationTests {
    private static let email = "ada@example.com"

    @Test func `a passkey is added, told, listed and renames`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            let before = await member.cookies["vestibule"]
            var key = Authenticator(number: 1)
            let added = try await member.add(&key, name: "My phone")
            #expect(
                added.leads(to: "/account/security/recovery-codes", saying: .passkeyAddedWithoutCodes))
            #expect(await member.cookies["vestibule"] != before)
            let mail = try await house.mailbox.next(to: Self.email, subject: "A passkey was added to your account")
            #expect(mail.text.contains("My phone"))
            #expect(try await house.events(of: Self.email).first?.kind == .passkeyAdded)
            #expect(try await member.get(Browser.passkeys).shows("<bdi>My phone</bdi>"))
            let id = try #require(try await house.factors(of: Self.email).passkeys.first?.id)
            let renamed = try await member.submit("\(Browser.passkeys)/\(id)/rename", ["name": " Old phone "])
            #expect(renamed.leads(to: Browser.passkeys, saying: .passkeyRenamed))
            #expect(try await member.get(Browser.passkeys).shows("<bdi>Old phone</bdi>"))
        }
    }

    @Test func `one account has one handle of 64 random bytes, and tells authenticators what it has`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            var (first, second) = (Authenticator(number: 1), Authenticator(number: 2))
            try await member.add(&first)
            try await member.add(&second)
            #expect(first.handle?.count == 64 && first.handle == second.handle)
            let eve = try await house.member("eve@example.com")
            #expect(try await eve.question("\(Browser.passkeys)/options").handle != first.handle)
            let question = try await member.question("\(Browser.passkeys)/options")
            #expect(
                Set(question.excludeCredentials?.map(\.id) ?? [])
                    == [Base64URL.encode(first.id), Base64URL.encode(second.id)])
        }
    }

    @Test func `twenty at most`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            var first = Authenticator(number: 1)
            #expect(try await member.add(&first).status == .seeOther)
            for number in 2...20 {
                var key = Authenticator(number: UInt8(number))
                #expect(try await member.add(&key).status == .seeOther)
            }
            var key = Authenticator(number: 21)
            let full = "You have 20 passkeys, the most there can be. Remove one first."
            #expect(try await member.add(&key).status == .unprocessableContent)
            #expect(try await house.factors(of: Self.email).passkeys.count == 20)
            // The script sends the form as it is, before a device has made one.
            let csrf = ["csrf": try await member.get(Browser.passkeys).csrf ?? ""]
            #expect(try await member.post("\(Browser.passkeys)/options", csrf).status == .forbidden)
            #expect(try await member.submit(Browser.passkeys).shows(full))
            let app = house.app(at: "203.0.113.7")
            try await app.signIn(with: first)
            let refused = try await app.call(.post, "factors/passkeys/options")
            #expect(refused.status == .unprocessableContent && refused.code == "validation_failed")
            #expect(refused["detail"] == full)
        }
    }

    @Test func `one that was begun before the twentieth is told the same`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            for number in 1...19 {
                var key = Authenticator(number: UInt8(number))
                try await member.add(&key)
            }
            let begun = try await member.question("\(Browser.passkeys)/options")
            var twentieth = Authenticator(number: 20)
            #expect(try await member.add(&twentieth).status == .seeOther)
            let page = try await send(Authenticator(number: 21).registration(begun.bytes), by: member)
            #expect(page.status == .unprocessableContent && page.shows("You have 20 passkeys"))
        }
    }

    @Test func `a credential belongs to one account, once`() async throws {
        try await withHouse { house in
            var (member, key) = try await house.memberWithPasskey(Self.email)
            #expect(try await member.add(&key).status == .unprocessableContent)
            let eve = try await house.member("eve@example.com")
            var stolen = Authenticator(number: 1)
            #expect(try await eve.add(&stolen).status == .unprocessableContent)
            #expect(try await house.factors(of: "eve@example.com").passkeys.isEmpty)
            #expect(try await house.visitor().logIn(with: key).location == "/account")
        }
    }

    @Test func `one that the browser made by itself is no second factor`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            var key = Authenticator(number: 1)
            // Nobody touched anything.
            key.flags = 0x18
            #expect(try await member.add(&key).status == .unprocessableContent)
            try await member.add(&key, byItself: true)
            #expect(try await house.factors(of: Self.email).passkeys.first?.isSecondFactor == false)
            #expect(try await house.session(of: member).proof.secondFactor == nil)
            let visitor = house.visitor(at: "203.0.113.7")
            #expect(try await visitor.logIn(email: Self.email).location == "/account")
            house.clock.advance(by: .seconds(600))
            #expect(try await !visitor.submit("/account/sessions/end-others").asksSecondProof)
            // It opens the account alone, when its owner is verified.
            key.flags = 0x1D
            #expect(try await house.visitor(at: "203.0.113.8").logIn(with: key).location == "/account")
        }
    }

    @Test func `a challenge of another session, of another purpose, used or old makes none`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            let eve = try await house.member("eve@example.com")
            let key = Authenticator(number: 1)
            let theirs = try await eve.question("\(Browser.passkeys)/options")
            await member.set("vestibule-passkey", await eve.cookies["vestibule-passkey"] ?? "")
            let refused = try await send(key.registration(theirs.bytes), by: member)
            #expect(refused.status == .unprocessableContent && refused.shows("No passkey was made."))
            let proof = try await member.question("\(Browser.passkeys)/proof-options")
            #expect(try await send(key.registration(proof.bytes), by: member).status == .unprocessableContent)
            let old = try await member.question("\(Browser.passkeys)/options")
            house.clock.advance(by: .seconds(300))
            #expect(try await send(key.registration(old.bytes), by: member).status == .unprocessableContent)
            let right = try await member.question("\(Browser.passkeys)/options")
            let cookie = await member.cookies["vestibule-passkey"] ?? ""
            #expect(try await send(key.registration(right.bytes), by: member).status == .seeOther)
            await member.set("vestibule-passkey", cookie)
            let again = Authenticator(number: 2)
            #expect(try await send(again.registration(right.bytes), by: member).status == .unprocessableContent)
        }
    }

    private func send(_ message: Message, by member: Browser) async throws -> Page {
        try await member.submit(Browser.passkeys, ["credential": try message.text])
    }

    @Test func `nobody renames or removes another's passkey`() async throws {
        try await withHouse { house in
            _ = try await house.memberWithPasskey(Self.email)
            let eve = try await house.member("eve@example.com")
            let id = try #require(try await house.factors(of: Self.email).passkeys.first?.id)
            for action in ["rename", "remove"] {
                let page = try await eve.submit("\(Browser.passkeys)/\(id)/\(action)", ["name": "Mine"])
                #expect(page.leads(to: Browser.passkeys, saying: .goneAlready))
            }
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
        }
    }

    @Test func `names that are too long, cannot be shown or make a link are refused at the field`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            let links = ["Go to evil.example/x", "http://[::1]/", "eve@evil", "evil\u{3002}example"]
            for name in [String(repeating: "a", count: 65), "a\u{202E}b", "a\u{0}b"] + links {
                var key = Authenticator(number: 1)
                let page = try await member.add(&key, name: name)
                #expect(page.status == .unprocessableContent)
                #expect(page.shows("Enter a name of at most 64 characters, without a web or email address."))
            }
            for (number, name) in ["Phone 2.0", "St. Ives"].enumerated() {
                var key = Authenticator(number: UInt8(2 + number))
                #expect(try await member.add(&key, name: name).status == .seeOther)
            }
        }
    }

    @Test func `the last way in stays`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            var key = Authenticator(number: 1)
            try await visitor.add(&key)
            let page = try await visitor.get("/account/security")
            let identity = page.body.firstMatch(of: /action="(\/account\/identities\/[^"]+\/remove)"/)?.output.1
            let unlinked = try await visitor.submit(try #require(identity.map(String.init)))
            #expect(unlinked.leads(to: "/account/security", saying: .identityRemoved))
            let id = try #require(try await house.factors(of: Self.email).passkeys.first?.id)
            let refused = try await visitor.submit("\(Browser.passkeys)/\(id)/remove")
            #expect(refused.leads(to: Browser.passkeys, saying: .lastWay))
            #expect(try await house.visitor().logIn(with: key).location == "/account")
        }
    }
}
