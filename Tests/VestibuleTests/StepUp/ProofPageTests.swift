import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// What the page says that asks for a proof.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProofPageTests {
    private static let email = "ada@example.com"

    /// What asks for a proof before the data is downloaded.
    private func exportPage(of member: Browser) async throws -> Page {
        try await member.get(try #require(try await member.submit("/account/export").location))
    }

    static let purposes = [
        ("/account/password", "You&#39;re about to change your password."),
        ("/account/email", "You&#39;re about to change your email address."),
        ("/account/export", "You&#39;re about to download your data."),
        ("/account/delete", "You&#39;re about to delete your account."),
        ("/account/sessions/end-others", "You&#39;re about to sign out other browsers."),
        ("/account/security/passkeys/none/remove", "You&#39;re about to change your passkeys."),
        ("/account/security/totp/remove", "You&#39;re about to change your authenticator app."),
        ("/account/security/recovery-codes", "You&#39;re about to make recovery codes."),
        ("/account/language", "You&#39;re about to change the language of your emails."),
    ]

    @Test(arguments: purposes)
    func `it names what it is for`(path: String, sentence: String) async throws {
        try await withHouse { house in
            let (member, _) = try await house.memberWithPasskey(Self.email)
            house.clock.advance(by: .seconds(600))
            let asked = try await member.submit(path)
            #expect(asked.asksSecondProof && asked.shows(sentence))
        }
    }

    @Test func `so does the one that asks for the password`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            house.clock.advance(by: .seconds(600))
            let asked = try await exportPage(of: member)
            #expect(asked.heading == "Confirm it&#39;s you")
            #expect(asked.shows("You&#39;re about to download your data. Enter your password once more."))
        }
    }

    @Test func `an account without a password is not told to give one`() async throws {
        try await withProviders { house, _ in
            let member = house.visitor()
            try await member.signUpThroughExample()
            house.clock.advance(by: .seconds(601))
            for asked in [try await exportPage(of: member), try await member.submit(Browser.codesPage)] {
                #expect(asked.status == .ok && asked.linkToProvider("prove") != nil)
                #expect(!asked.shows("your password") && !asked.shows("type=\"password\""))
            }
        }
    }

    @Test func `nor is its app`() async throws {
        try await withAppleApp(standIn: ProviderStandIn.shared.value) { house, standIn in
            let owner = house.app()
            #expect(try await owner.call(.post, "sign-in/social", house.broughtByApp(standIn)).status == .ok)
            house.clock.advance(by: .seconds(601))
            let calls = [(HTTPRequest.Method.post, "factors/totp"), (.delete, "sessions/another"), (.delete, "user")]
            for (method, path) in calls {
                let refused = try await owner.call(method, path, [String: String]())
                #expect(refused.status == .forbidden && refused.code == "reauthentication_required")
                #expect(refused["detail"] == "Please sign in again first.", "\(path)")
            }
        }
    }

    @Test func `a sign-in without tries says so, and nothing of a code that is sent`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            let (_, _) = try await house.memberWithPasskey(Self.email)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            for _ in 1...5 { try await visitor.second(code: "123456") }
            let over = await visitor.last
            #expect(over.shows("The second step failed too often, so this sign-in has ended."))
            #expect(!over.shows("new code") && !over.shows("email"))
        }
    }
}
