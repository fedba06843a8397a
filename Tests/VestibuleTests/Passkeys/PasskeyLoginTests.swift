import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// `/login/passkey`
@Suite(.timeLimit(.minutes(15)))
struct PasskeyLoginTests {
    private static let email = "ada@example.com"

    @Test func `the log says why a passkey was refused, and from where it came`() async throws {
        try await withHouse { house in
            var (_, key) = try await house.memberWithPasskey(Self.email)
            key.origin = "https://evil.example"
            let visitor = house.visitor(at: "203.0.113.7")
            #expect(try await visitor.logIn(with: key).status == .unprocessableContent)
            let lines = house.logs.lines(of: "passkey_refused")
            #expect(lines.count == 1 && lines[0].contains("source_ip=203.0.113.7"))
            #expect(lines.first?.contains("reason=") == true && lines.first?.contains("request_id=") == true)
        }
    }

    @Test(arguments: ["http://127.0.0.1:8080", "http://[::1]:8080"])
    func `where the host is an IP address, no passkey is offered or taken`(publicURL: String) async throws {
        try await withHouse([.publicURL: publicURL]) { house in
            let visitor = house.visitor()
            #expect(try await !visitor.get("/login").body.contains("id=\"passkey\""))
            #expect(try await visitor.post("/login/passkey/options", [:]).status == .notFound)
            let member = try await house.member(Self.email)
            #expect(try await !member.get("/account/security").shows("Passkeys"))
            #expect(try await member.get(Browser.passkeys).status == .notFound)
        }
    }

    @Test func `a passkey signs in alone, and counts as second factor`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            let page = try await visitor.logIn(with: key, returnTo: "/account/data")
            #expect(page.status == .seeOther && page.location == "/account/data")
            let session = try await house.session(of: visitor)
            #expect(
                session.proof.by == .passkey && session.proof.secondFactor == .passkey && !session.lifetime.remembered)
            #expect(await visitor.cookies["vestibule-passkey"] == nil)
            #expect(try await !visitor.submit("/account/sessions/end-others").asksSecondProof)
        }
    }

    /// What may be wrong, each in a browser that has a challenge.
    private typealias Change = @Sendable (inout Authenticator) -> Void
    private static let lies: [(name: String, change: Change)] = [
        ("unknown credential", { $0.id = [UInt8](repeating: 0xEE, count: 32) }),
        ("another origin", { $0.origin = "https://evil.example" }),
        ("another port", { $0.origin = "http://localhost:8081" }),
        ("another relying party", { $0.relyingParty = "evil.example" }),
        ("a subframe of another site", { $0.more = #","crossOrigin":true"# }),
        ("not verified", { $0.flags = 0x19 }),
        ("nobody there", { $0.flags = 0x1C }),
        ("backed up, but not eligible", { $0.flags = 0x15 }),
        ("made, not used", { $0.type = "webauthn.create" }),
        ("no user handle", { $0.handle = nil }),
        ("another user handle", { $0.handle = [UInt8](repeating: 1, count: 64) }),
    ]

    @Test func `whatever is wrong, one sentence, one status and one size`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            var sizes: [String: Int] = [:]
            func note(_ name: String, _ page: Page) {
                #expect(page.status == .unprocessableContent, "\(name)")
                #expect(page.shows("That passkey didn&#39;t work here."), "\(name)")
                sizes[name] = page.body.utf8.count
            }
            for (name, change) in Self.lies {
                var liar = key
                change(&liar)
                note(name, try await house.visitor(at: "203.0.113.7").logIn(with: liar))
            }
            var forger = Authenticator(number: 1)
            forger.handle = key.handle
            note("wrong signature", try await house.visitor(at: "203.0.113.7").logIn(with: forger))
            let visitor = house.visitor(at: "203.0.113.7")
            let question = try await visitor.question("/login/passkey/options")
            let other = house.visitor(at: "203.0.113.8")
            note("no challenge", try await other.send(try key.assertion(question.bytes)))
            _ = try await other.question("/login/passkey/options")
            note("another browser's challenge", try await other.send(try key.assertion(question.bytes)))
            house.clock.advance(by: .seconds(300))
            note("expired", try await visitor.send(try key.assertion(question.bytes)))
            #expect(Set(sizes.values).count == 1, "\(sizes)")
            #expect(try await !visitor.isSignedIn())
            #expect(try await house.failuresInARow("ada@example.com") == 0)
        }
    }

    @Test func `a challenge is answered once`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            let question = try await visitor.question("/login/passkey/options")
            let message = try key.assertion(question.bytes)
            let cookie = await visitor.cookies["vestibule-passkey"] ?? ""
            #expect(try await visitor.send(message).location == "/account")
            let thief = house.visitor(at: "203.0.113.8")
            await thief.set("vestibule-passkey", cookie)
            #expect(try await thief.send(message).status == .unprocessableContent)
            // A new signature of the same challenge is no better.
            #expect(try await thief.send(try key.assertion(question.bytes)).status == .unprocessableContent)
            #expect(try await !thief.isSignedIn())
        }
    }

    @Test func `a challenge for something else signs nobody in`() async throws {
        try await withHouse { house in
            let (member, key) = try await house.memberWithPasskey(Self.email)
            for path in ["options", "proof-options"] {
                let question = try await member.question("\(Browser.passkeys)/\(path)")
                let thief = house.visitor(at: "203.0.113.8")
                await thief.set("vestibule-passkey", await member.cookies["vestibule-passkey"] ?? "")
                #expect(try await thief.send(try key.assertion(question.bytes)).status == .unprocessableContent)
            }
        }
    }

    @Test func `twenty uses of one signature make one session`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            let question = try await visitor.question("/login/passkey/options")
            let message = try key.assertion(question.bytes)
            let cookie = await visitor.cookies["vestibule-passkey"] ?? ""
            let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let tab = house.visitor(at: "203.0.113.7")
                        await tab.set("vestibule-passkey", cookie)
                        try await tab.send(message)
                        return await tab.cookies["vestibule"] != nil
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(opened == 1)
        }
    }

    @Test func `removed, disabled and unverified open nothing, with the sentence for all`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let (member, key) = try await house.memberWithPasskey(Self.email)
            try await house.disable(Self.email)
            let disabled = try await house.visitor(at: "203.0.113.7").logIn(with: key)
            let account = try await house.account(Self.email)
            #expect(try await Administration(services: house.services).enable(account))
            #expect(try await house.visitor(at: "203.0.113.7").logIn(with: key).location == "/account")
            try await member.logIn(with: key)
            let id = try #require(try await house.factors(of: Self.email).passkeys.first?.id)
            #expect(try await member.submit("\(Browser.passkeys)/\(id)/remove").status == .seeOther)
            let removed = try await house.visitor(at: "203.0.113.7").logIn(with: key)
            for page in [disabled, removed] {
                #expect(page.status == .unprocessableContent && page.shows("That passkey didn&#39;t work here."))
            }
            #expect(disabled.body.utf8.count == removed.body.utf8.count)
            // Its browser may forget what nobody has here, and only that.
            #expect(removed.shows("data-unknown=\"\(Base64URL.encode(key.id))\""))
            #expect(!disabled.shows("data-unknown="))
        }
    }

    @Test func `an unverified account is not opened where addresses are to be verified`() async throws {
        let store = try await sharedStore()
        let made = Made()
        try await withHouse([.verification: "off"], store: store) { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: Self.email)
            var key = Authenticator(number: 1)
            #expect(try await visitor.add(&key).status == .seeOther)
            await made.keep(key)
            #expect(try await house.visitor().logIn(with: key).location == "/account")
        }
        try await withHouse(store: store) { house in
            let key = try #require(await made.key)
            #expect(try await house.visitor().logIn(with: key).status == .unprocessableContent)
        }
    }

    /// Carries an authenticator from one house to the next.
    private actor Made {
        private(set) var key: Authenticator?
        func keep(_ key: Authenticator) { self.key = key }
    }
}
