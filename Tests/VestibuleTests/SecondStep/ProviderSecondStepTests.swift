import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// A provider's word is a first step, as a password is.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderSecondStepTests {
    @Test func `a sign-in through a provider leads to the second step`() async throws {
        try await withProviders { house, _ in
            let owner = house.visitor()
            try await owner.signUpThroughExample()
            var key = Authenticator(number: 1)
            #expect(try await owner.add(&key).status == .seeOther)
            let visitor = house.visitor(at: "203.0.113.7")
            let page = try await visitor.comeFromExample(path: "/auth/example?return_to=/account/data")
            #expect(page.location == "/login/second")
            #expect(await visitor.cookies["vestibule"] == nil)
            #expect(try await visitor.second(with: key).location == "/account/data")
            let session = try await house.session(of: visitor)
            #expect(session.proof.by == .provider && session.proof.secondFactor == .passkey)
        }
    }

    @Test func `the mail about five wrong codes speaks of the provider`() async throws {
        try await withProviders { house, _ in
            let owner = house.visitor()
            try await owner.signUpThroughExample()
            try await owner.addApp(at: house.clock.now)
            let email = try await house.record(of: owner).account.email.typed
            let thief = house.visitor(at: "203.0.113.7")
            try await thief.comeFromExample()
            for _ in 1...5 { try await thief.second(code: "123456") }
            let mail = try await house.mailbox.next(
                to: email, subject: "Someone couldn't finish signing in to your account")
            for text in [mail.text, mail.html] {
                #expect(text.contains("at the other service") && !text.contains("knows your password"))
            }
        }
    }

    @Test func `a sign-in that waits ends when the provider is removed`() async throws {
        try await withProviders { house, _ in
            let owner = house.visitor()
            try await owner.signUpThroughExample()
            var key = Authenticator(number: 1)
            #expect(try await owner.add(&key).status == .seeOther)
            let thief = house.visitor(at: "203.0.113.7")
            #expect(try await thief.comeFromExample().location == "/login/second")
            let account = try await house.record(of: owner).account
            let identity = try #require(try await house.services.store.identities(accountID: account.id).first)
            let removed = try await owner.submit("/account/identities/\(identity.id)/remove")
            #expect(removed.leads(to: "/account/security", saying: .identityRemoved))
            #expect(try await thief.get("/login/second").location?.hasPrefix("/login") == true)
        }
    }

    @Test func `Apple's word, too`() async throws {
        try await withProviders { house, standIn in
            let owner = house.visitor()
            try await owner.comeFromApple(.init(), standIn)
            try await owner.acceptAndContinue()
            var key = Authenticator(number: 1)
            #expect(try await owner.add(&key).status == .seeOther)
            let visitor = house.visitor(at: "203.0.113.7")
            #expect(try await visitor.comeFromApple(.init(), standIn).location == "/login/second")
            #expect(try await visitor.second(with: key).location == "/account")
        }
    }

    @Test func `what the provider granted is kept when a second step follows`() async throws {
        try await withProviders { house, standIn in
            let owner = house.visitor()
            try await owner.comeFromApple(.init(), standIn)
            try await owner.acceptAndContinue()
            var key = Authenticator(number: 1)
            try await owner.add(&key)
            let (store, account) = (house.services.store, try await house.record(of: owner).account)
            let held = try #require(try await store.linkedIdentities(accountID: account.id).first)
            let identity = held.identity
            _ = try await store.keepRefreshToken([1], issuer: identity.issuer, subject: identity.subject)
            let visitor = house.visitor(at: "203.0.113.7")
            #expect(try await visitor.comeFromApple(.init(), standIn).location == "/login/second")
            let kept = try await store.linkedIdentities(accountID: account.id).first?.refreshToken
            #expect(held.refreshToken != nil && kept != nil && kept != [1])
        }
    }

    @Test func `a native app gets the flow and the methods`() async throws {
        try await withAppleApp(standIn: ProviderStandIn.shared.value) { house, standIn in
            let owner = house.app()
            #expect(try await owner.call(.post, "sign-in/social", house.broughtByApp(standIn)).status == .ok)
            var key = Authenticator(number: 1)
            #expect(try await owner.add(&key).status == .ok)
            let app = house.app(at: "203.0.113.7")
            let first = try await app.call(.post, "sign-in/social", house.broughtByApp(standIn))
            #expect(first.status == .forbidden && first.code == "second_factor_required")
            #expect(first["methods.0"] == "passkey" && first["token"] == nil)
            #expect(try await app.second(first["flow"] ?? "", with: key).status == .ok)
            #expect(try await app.isSignedIn())
        }
    }
}
