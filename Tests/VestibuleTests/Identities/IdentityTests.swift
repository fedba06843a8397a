import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// One person, several ways in.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct IdentityTests {
    private func remove(_ member: Browser, password: String? = nil) async throws -> Page {
        let page = try await member.get("/account/security")
        let path = page.body.firstMatch(of: /action="(\/account\/identities\/[^"]+\/remove)"/)?.output.1
        var fields = ["csrf": page.csrf ?? ""]
        fields["current_password"] = password
        return try await member.post(path.map(String.init) ?? "/nothing-to-remove", fields)
    }

    @Test func `a verified address that is taken is connected only after its owner signs in as usual`() async throws {
        try await withProviders { house, _ in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            #expect(try await visitor.comeFromExample().location == "/auth/continue")
            #expect(try await visitor.get("/auth/continue").shows("You already have an account for ada@example.com."))
            #expect(try await visitor.acceptAndContinue().location == "/auth/continue")
            let unknown = try await visitor.post("/auth/continue/connect", [:])
            #expect(unknown.leads(to: "/login?return_to=/auth/continue", saying: .signInFirst))
            try await visitor.logIn(email: "ada@example.com", returnTo: "/auth/continue")
            let page = try await visitor.get("/auth/continue")
            #expect(page.shows("Connect Example to your account ada@example.com?"))
            let forged = try await visitor.post("/auth/continue/connect", [:])
            #expect(forged.status == .forbidden)
            let done = try await visitor.post("/auth/continue/connect", ["csrf": page.csrf ?? ""])
            #expect(done.leads(to: "/account/security", saying: .identityAdded))
            _ = try await house.mailbox.next(to: "ada@example.com", subject: "A way to sign in was added")
            let events = try await house.events(of: "ada@example.com")
            #expect(events.first?.kind == .identityLinked)
            #expect(try await house.visitor().comeFromExample().location == "/account")
        }
    }

    @Test func `somebody invited, whose provider vouches for the address, is led to a password`() async throws {
        try await withProviders { house, _ in
            let administration = Administration(services: house.services)
            _ = try await administration.invite("ada@example.com", name: nil, locale: "en")
            let visitor = house.visitor()
            try await visitor.comeFromExample()
            let page = try await visitor.get("/auth/continue")
            #expect(page.heading == "Almost there" && page.shows("Sign in to it once to connect Example; "))
            #expect(page.shows("Were you invited, have no password yet, or forgot it?"))
            #expect(page.shows("<a href=\"/reset?return_to=/auth/continue\">Choose a password</a>"))
        }
    }

    @Test func `where sign-up is closed, a page for somebody new has a title that says so`() async throws {
        try await withProviders([.signup: "closed"]) { house, _ in
            let visitor = house.visitor()
            try await visitor.comeFromExample()
            let page = try await visitor.get("/auth/continue")
            #expect(page.heading == "Sign-up is closed" && page.shows("<title>Sign-up is closed"))
            #expect(page.shows("You can&#39;t create an account here at the moment."))
        }
    }

    @Test func `signing in to another account does not connect it`() async throws {
        try await withProviders { house, _ in
            _ = try await house.member("ada@example.com")
            let mallory = try await house.member("mallory@example.com")
            try await mallory.comeFromExample()
            let page = try await mallory.get("/auth/continue")
            #expect(page.shows("ada@example.com has an account of its own.") && !page.shows("Connect Example to"))
            let csrf = try await mallory.get("/account").csrf ?? ""
            let connected = try await mallory.post("/auth/continue/connect", ["csrf": csrf])
            #expect(connected.location == "/auth/continue")
            #expect(try await house.visitor().comeFromExample().location == "/auth/continue")
        }
    }

    @Test func `a member adds a provider, signs in with it, and takes it away again`() async throws {
        try await withProviders { house, _ in
            let member = try await house.member("grace@example.com")
            let added = try await member.comeFromExample(path: try await member.linkToAddExample())
            #expect(added.leads(to: "/account/security", saying: .identityAdded))
            #expect(try await house.visitor().comeFromExample().location == "/account")
            house.clock.advance(by: .seconds(601))
            #expect(try await remove(member).shows("Confirm it&#39;s you"))
            #expect(try await remove(member, password: "wrong").status == .unprocessableContent)
            let removed = try await remove(member, password: Browser.goodPassword)
            #expect(removed.leads(to: "/account/security", saying: .identityRemoved))
            _ = try await house.mailbox.next(to: "grace@example.com", subject: "A way to sign in was removed")
            #expect(try await house.visitor().comeFromExample().location == "/auth/continue")
            #expect(try await house.events(of: "grace@example.com").contains { $0.kind == .identityUnlinked })
        }
    }

    @Test func `adding is limited, so that its mails bury no other, and what was added can go`() async throws {
        try await withProviders([.limitLogin: "off"]) { house, _ in
            let member = try await house.member("grace@example.com")
            for _ in 0..<30 {
                // The provider's tokens have the time of this machine, and are refused a minute
                // before it.
                house.clock.set(by: -house.clock.now.timeIntervalSinceNow)
                let added = try await member.comeFromExample(path: try await member.linkToAddExample())
                #expect(added.leads(to: "/account/security", saying: .identityAdded))
                #expect(try await remove(member).leads(to: "/account/security", saying: .identityRemoved))
            }
            let refused = try await member.comeFromExample(path: try await member.linkToAddExample())
            #expect(refused.status == .tooManyRequests && refused.shows("Too many attempts."))
            #expect(try await house.events(of: "grace@example.com").count { $0.kind == .identityLinked } == 30)
        }
    }

    @Test func `adding needs a link of this session, and the password lately`() async throws {
        try await withProviders { house, _ in
            let member = try await house.member("grace@example.com")
            let link = try await member.linkToAddExample()
            let other = try await house.member("eve@example.com")
            let forged = try await other.get(link)
            #expect(forged.status == .forbidden)
            #expect(try await house.visitor().get(link).location == "/login")
            house.clock.advance(by: .seconds(601))
            let question = try #require(try await member.get(link).location)
            let mark = try #require(link.split(separator: "=").last.map(String.init))
            #expect(question == "/account/confirm?add=example&link=\(mark)")
            let page = try await member.get(question)
            #expect(page.shows("Current password") && page.shows("name=\"link\" value=\"\(mark)\""))
            var fields = ["csrf": page.csrf ?? "", "add": "example", "link": mark, "current_password": "wrong"]
            let wrong = try await member.post("/account/confirm", fields)
            #expect(wrong.status == .unprocessableContent && wrong.shows("name=\"add\" value=\"example\""))
            fields["current_password"] = Browser.goodPassword
            let before = await member.cookies["vestibule"]
            #expect(try await member.post("/account/confirm", fields).location == question)
            #expect(await member.cookies["vestibule"] != before)
            #expect(try await member.get(question).linkToProvider("link") == link)
            #expect(try await member.comeFromExample(path: link).leads(to: "/account/security", saying: .identityAdded))
        }
    }

    @Test func `what was begun before a second factor was added ends without it`() async throws {
        try await withProviders { house, _ in
            let thief = try await house.member("grace@example.com")
            let asked = try await thief.startSignIn(try await thief.linkToAddExample())
            house.clock.advance(by: .seconds(1))
            let owner = house.visitor()
            try await owner.logIn(email: "grace@example.com")
            try await owner.addApp(at: house.clock.now)
            let person = ProviderStandIn.Person(nonce: asked.nonce, challenge: asked.fields["code_challenge"])
            let code = try ProviderStandIn.code(person)
            let page = try await thief.get("/auth/example/callback?state=\(asked.state)&code=\(code)")
            #expect(page.leads(to: "/account/security", saying: .providerFailed))
            #expect(try await thief.get("/account/security").linkToProvider("link") != nil)
        }
    }

    @Test func `a link with the session's mark is not followed from another site`() async throws {
        try await withProviders { house, _ in
            let member = try await house.member("grace@example.com")
            let link = try await member.linkToAddExample()
            let headers = [
                "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
            ]
            let elsewhere = try await member.get(link, headers: headers)
            #expect(elsewhere.location == "/account/security")
            let here = try await member.follow(link)
            #expect(here.location?.contains("client_id=") == true)
        }
    }

    @Test func `a proof that names a way in without this session's mark adds nothing`() async throws {
        try await withProviders { house, _ in
            let member = try await house.member("grace@example.com")
            let other = try await house.member("eve@example.com")
            let mark = try await other.linkToAddExample().split(separator: "=").last ?? ""
            let page = try await member.get("/account/confirm?add=example&link=\(mark)")
            #expect(page.linkToProvider("link") == nil && page.shows("Current password"))
            let fields = [
                "csrf": page.csrf ?? "", "add": "example", "link": String(mark),
                "current_password": Browser.goodPassword,
            ]
            #expect(
                try await member.post("/account/confirm", fields).leads(to: "/account/security", saying: .confirmed))
        }
    }

    @Test func `a sign-in through a provider adds no way in where there is a password`() async throws {
        try await withProviders { house, standIn in
            let member = try await house.member("grace@example.com")
            try await member.comeFromExample(path: try await member.linkToAddExample())
            let visitor = house.visitor()
            #expect(try await visitor.comeFromExample().location == "/account")
            let link = try #require(try await visitor.get("/account/security").linkToProvider("link"))
            let question = try #require(try await visitor.follow(link).location)
            #expect(question.hasPrefix("/account/confirm?add=apple&link="))
            let page = try await visitor.get(question)
            let fields = [
                "csrf": page.csrf ?? "", "add": "apple", "link": String(link.split(separator: "=").last ?? ""),
                "current_password": Browser.goodPassword,
            ]
            #expect(try await visitor.post("/account/confirm", fields).location == question)
            let added = try await visitor.comeFromApple(.init(sub: "grace"), standIn, path: link)
            #expect(added.leads(to: "/account/security", saying: .identityAdded))
        }
    }

    @Test func `connecting asks for the password when it was not given lately`() async throws {
        try await withProviders { house, _ in
            let owner = try await house.member("ada@example.com")
            #expect(try await owner.comeFromExample().location == "/auth/continue")
            house.clock.advance(by: .seconds(601))
            let csrf = try await owner.get("/auth/continue").csrf ?? ""
            let page = try await owner.post("/auth/continue/connect", ["csrf": csrf])
            #expect(page.status == .ok && page.shows("action=\"/auth/continue/connect\""))
            let fields = ["csrf": csrf, "current_password": Browser.goodPassword]
            let done = try await owner.post("/auth/continue/connect", fields)
            #expect(done.leads(to: "/account/security", saying: .identityAdded))
        }
    }

    @Test func `an identity belongs to one account`() async throws {
        try await withProviders { house, _ in
            try await house.visitor().signUpThroughExample()
            let member = try await house.member("grace@example.com")
            let added = try await member.comeFromExample(path: try await member.linkToAddExample())
            #expect(added.leads(to: "/account/security", saying: .identityElsewhere))
            #expect(try await member.get("/account").shows("grace@example.com"))
        }
    }

    @Test func `the last way in stays, until a password is set by code`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            #expect(try await !visitor.get("/account/security").shows("/remove\""))
            let id = try await house.services.store.identities(of: "ada@example.com").first?.id ?? ""
            let csrf = try await visitor.get("/account").csrf ?? ""
            let kept = try await visitor.post("/account/identities/\(id)/remove", ["csrf": csrf])
            #expect(kept.leads(to: "/account/security", saying: .lastWay))
            #expect(try await visitor.get("/account/password").location == "/reset")
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            let password = Browser.goodPassword
            try await visitor.post(
                "/reset/verify", ["code": code, "password": password, "password_confirmation": password])
            try await visitor.logIn(email: "ada@example.com")
            #expect(try await remove(visitor).leads(to: "/account/security", saying: .identityRemoved))
        }
    }

    @Test func `where passkeys are off, none of them lets the last provider be removed`() async throws {
        let (standIn, store) = (try await ProviderStandIn.shared.value, try await sharedStore())
        try await withHouse(store: store, clock: TestClock(Date()), environment: standIn.example) { house in
            let member = house.visitor()
            try await member.signUpThroughExample()
            var key = Authenticator(number: 1)
            #expect(try await member.add(&key).status == .seeOther)
            #expect(try await member.get("/account/security").shows("/remove\""))
        }
        let off: [Setting: String] = [.passkeys: "off"]
        try await withHouse(off, store: store, clock: TestClock(Date()), environment: standIn.example) { house in
            let member = house.visitor()
            #expect(try await member.comeFromExample().location == "/account")
            #expect(try await !member.get("/account/security").shows("/remove\""))
            let id = try await store.identities(of: "ada@example.com")[0].id
            let kept = try await member.submit("/account/identities/\(id)/remove")
            #expect(kept.leads(to: "/account/security", saying: .lastWay))
        }
    }

    @Test func `the page does not offer to remove the last provider that is still configured`() async throws {
        let (standIn, store) = (try await ProviderStandIn.shared.value, try await sharedStore())
        let clock = TestClock(Date())
        try await withHouse(standIn.apple, store: store, clock: clock, environment: standIn.example) { house in
            let member = house.visitor()
            try await member.signUpThroughExample()
            let link = try #require(try await member.get("/account/security").linkToProvider("link", "apple"))
            try await member.comeFromApple(.init(sub: "grace"), standIn, path: link)
        }
        try await withHouse(store: store, clock: clock, environment: standIn.example) { house in
            let member = house.visitor()
            try await member.comeFromExample()
            let page = try await member.get("/account/security")
            let offered = page.body.matches(of: /action="\/account\/identities\/([^"]+)\/remove"/).map {
                String($0.output.1)
            }
            let apple = try await store.identities(of: "ada@example.com").filter { $0.provider == "apple" }
            #expect(offered == apple.map(\.id) && offered.count == 1)
        }
    }

    @Test func `somebody else's identity cannot be removed`() async throws {
        try await withProviders { house, _ in
            try await house.visitor().signUpThroughExample()
            let id = try await house.services.store.identities(of: "ada@example.com").first?.id ?? ""
            let eve = try await house.member("eve@example.com")
            let csrf = try await eve.get("/account").csrf ?? ""
            let refused = try await eve.post("/account/identities/\(id)/remove", ["csrf": csrf])
            #expect(refused.leads(to: "/account/security", saying: .goneAlready))
        }
    }

    @Test func `without a password, what asks for one asks for a fresh sign-in instead`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            house.clock.advance(by: .seconds(601))
            let page = try await visitor.get("/account/delete")
            #expect(page.shows("Sign in again with Example") && !page.shows("name=\"current_password\""))
            let fields = ["csrf": page.csrf ?? "", "confirm": "delete"]
            let refused = try await visitor.post("/account/delete", fields)
            #expect(refused.status == .unprocessableContent)
            #expect(refused.shows(##"<a href="#current-password">Please sign in again first.</a>"##))
            let export = try await visitor.post("/account/export", ["csrf": page.csrf ?? ""]).location ?? ""
            #expect(try await visitor.get(export).shows("Sign in again with"))
            let asked = try await visitor.get("/account/email").csrf ?? ""
            let email = ["csrf": asked, "email": "new@example.com"]
            #expect(try await visitor.post("/account/email", email).shows("Sign in again with"))
            #expect(try await house.waitingMails() == 0)
            let again = try #require(page.linkToProvider("prove"))
            #expect(try await visitor.comeFromExample(.init(ahead: 601), path: again).location == "/account/delete")
            let csrf = try await visitor.get("/account/delete").csrf ?? ""
            let gone = try await visitor.post("/account/delete", ["csrf": csrf, "confirm": "delete"])
            #expect(gone.leads(to: "/", saying: .accountDeleted))
        }
    }

    @Test func `what a browser carries makes no account half an hour later`() async throws {
        try await withProviders { house, _ in
            let (prompt, late) = (house.visitor(), house.visitor())
            try await prompt.comeFromExample()
            try await late.comeFromExample(.init(sub: "another", email: "bob@example.com"))
            house.clock.advance(by: .seconds(1799))
            #expect(try await prompt.acceptAndContinue().location == "/account")
            house.clock.advance(by: .seconds(1))
            #expect(try await late.acceptAndContinue().leads(to: "/login", saying: .providerFailed))
            #expect(try await !late.isSignedIn())
        }
    }

    @Test func `what a browser carries makes one account, once`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.comeFromExample()
            let carried = await visitor.cookies["vestibule-auth-pending"] ?? ""
            #expect(try await visitor.acceptAndContinue().location == "/account")
            let thief = house.visitor()
            await thief.set("vestibule-auth-pending", carried)
            #expect(try await thief.acceptAndContinue().leads(to: "/login", saying: .providerFailed))
            #expect(try await !thief.isSignedIn())
        }
    }
}

extension Store {
    func identities(of email: String) async throws -> [Identity] {
        let account = try await loginRecord(emailKey: email, failuresKey: []).account
        return try await accountOverview(accountID: account?.id ?? "", events: 50, now: Date()).identities
    }
}
