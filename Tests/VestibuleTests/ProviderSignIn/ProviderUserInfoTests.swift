import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Providers whose tokens leave out the address, which their userinfo endpoint gives (OpenID
/// Connect Core section 5.4).
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderUserInfoTests {
    private static let subject = ProviderStandIn.Person().sub
    private static let ada = #"{"sub": "\#(subject)", "email": "ada@example.com", "email_verified": true"#

    @Test func `the address and the name come from there, and an account is made`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            let person = ProviderStandIn.Person(email: nil, info: Self.ada + #", "name": "Ada Lovelace"}"#)
            #expect(try await visitor.comeFromExample(person).location == "/auth/continue")
            let page = try await visitor.get("/auth/continue")
            #expect(page.shows("Your account will use ada@example.com.") && page.shows("value=\"Ada Lovelace\""))
            #expect(try await visitor.acceptAndContinue().location == "/account")
            let account = try await house.services.store.loginRecord(emailKey: "ada@example.com", failuresKey: [])
            #expect(account.account?.verifiedAt != nil)
        }
    }

    @Test(arguments: [
        (#"{"sub": "001234.eve", "email": "ada@example.com", "email_verified": true}"#, "about somebody else"),
        (#"{"email": "ada@example.com", "email_verified": true}"#, "is not readable"),
        ("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.", "is not readable"),
        ("", "the userinfo endpoint answered 401"), ("302", "the userinfo endpoint answered 302"),
        (#"{"sub": "\#(subject)"}"#, "nor at the userinfo endpoint"),
        (#"{"sub": "\#(subject)", "email": "ada", "email_verified": true}"#, "nor at the userinfo endpoint"),
        (
            #"{"sub": "\#(subject)", "email": "\u200Bada@example.com", "email_verified": true}"#,
            "nor at the userinfo endpoint"
        ),
    ])
    func `what is not about that person, not readable or without an address counts for nothing, and is logged`(
        info: String, reason: String
    ) async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.comeFromExample(.init(email: nil, info: info))
            #expect(try await visitor.get("/auth/continue").shows("hasn&#39;t confirmed your email address"))
            let lines = house.logs.lines(of: "authn_provider_rejected")
            #expect(lines.count == 1 && lines[0].contains(reason), "\(lines)")
        }
    }

    @Test(arguments: ["no_access", "access_lines"])
    func `without an access token that a header can carry, it is not asked`(lie: String) async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.comeFromExample(.init(email: nil, lie: lie, info: Self.ada + "}"))
            #expect(try await visitor.get("/auth/continue").shows("hasn&#39;t confirmed your email address"))
            let lines = house.logs.lines(of: "authn_provider_rejected")
            #expect(lines.count == 1 && lines[0].contains("no access token"), "\(lines)")
        }
    }

    @Test func `where it does not work for a while, the sign-in is to be tried again`() async throws {
        let standIn = try await ProviderStandIn.start()
        let right = ProviderStandIn.Person(email: nil, info: Self.ada + "}")
        try await withHouse([.limitLogin: "off"], clock: TestClock(Date()), environment: standIn.example) { house in
            let visitor = house.visitor()
            let page = try await visitor.comeFromExample(.init(email: nil, info: "503"))
            #expect(page.leads(to: "/login", saying: .providerFailed))
            #expect(try await visitor.comeFromExample(right).location == "/auth/continue")
            try await standIn.tell(["says": ["userinfo_endpoint": "https://127.0.0.1:9/"]])
            house.clock.advance(by: .seconds(3601))
            let late = ProviderStandIn.Person(email: nil, info: "{}", ahead: 3601)
            #expect(try await house.visitor().comeFromExample(late).leads(to: "/login", saying: .providerFailed))
            #expect(house.logs.lines(of: "authn_provider_unavailable").count == 2)
            #expect(house.logs.lines(of: "authn_provider_rejected").isEmpty)
        }
    }

    @Test func `it is asked neither for a way in that is added nor for a proof`() async throws {
        let standIn = try await ProviderStandIn.start()
        try await withHouse([.limitLogin: "off"], clock: TestClock(Date()), environment: standIn.example) { house in
            let member = try await house.member("grace@example.com")
            let silent = ProviderStandIn.Person(email: nil, info: "503")
            let added = try await member.comeFromExample(silent, path: try await member.linkToAddExample())
            #expect(added.leads(to: "/account/security", saying: .identityAdded))
            #expect(house.logs.lines(of: "authn_provider_rejected").isEmpty)
            let visitor = house.visitor()
            try await visitor.signUpThroughExample(.init(sub: "001234.ada"))
            house.clock.advance(by: .seconds(601))
            let link = try #require(try await visitor.get("/account/delete").linkToProvider("prove"))
            let nobody = ProviderStandIn.Person(sub: "001234.nobody", email: nil, info: "503", ahead: 601)
            let refused = try await visitor.comeFromExample(nobody, path: link)
            #expect(refused.leads(to: "/account/security", saying: .providerFailed))
            #expect(try await standIn.record().allSatisfy { $0["call"] != "userinfo" })
        }
    }

    @Test func `an address that is not confirmed there makes no account`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            for verified in ["false", "1", "null"] {
                let info = #"{"sub": "\#(Self.subject)", "email": "ada@example.com", "email_verified": \#(verified)}"#
                try await visitor.comeFromExample(.init(email: nil, info: info))
                #expect(try await visitor.get("/auth/continue").shows("hasn&#39;t confirmed your email address"))
                #expect(try await visitor.acceptAndContinue().location == "/auth/continue")
            }
        }
    }

    @Test func `it is asked only for somebody new whose token has no address`() async throws {
        let standIn = try await ProviderStandIn.start()
        try await withHouse(
            [.limitLogin: "off"], clock: TestClock(Date()), environment: standIn.example
        ) { house in
            func asked() async throws -> Int { try await standIn.record().count { $0["call"] == "userinfo" } }
            try await house.visitor().signUpThroughExample()
            #expect(try await asked() == 0)
            #expect(try await house.visitor().comeFromExample(.init(email: nil, info: "{}")).location == "/account")
            #expect(try await asked() == 0)
            let new = ProviderStandIn.Person(sub: "001234.new", email: nil, info: Self.ada + "}")
            #expect(try await house.visitor().comeFromExample(new).location == "/auth/continue")
            #expect(try await asked() == 1)
        }
    }

    @Test func `a provider without that endpoint, and an address nowhere, is a line in the log`() async throws {
        let standIn = try await ProviderStandIn.start()
        try await standIn.tell(["says": ["userinfo_endpoint": ""]])
        try await withHouse([.limitLogin: "off"], clock: TestClock(Date()), environment: standIn.example) { house in
            let visitor = house.visitor()
            try await visitor.comeFromExample(.init(email: nil, info: Self.ada + "}"))
            #expect(try await visitor.get("/auth/continue").shows("hasn&#39;t confirmed your email address"))
            let lines = house.logs.lines(of: "authn_provider_rejected")
            #expect(lines.count == 1 && lines[0].contains("no userinfo endpoint"), "\(lines)")
        }
    }
}
