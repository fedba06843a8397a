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
        ("", "the userinfo endpoint answered 401"),
        (#"{"sub": "\#(subject)"}"#, "nor at the userinfo endpoint"),
        (#"{"sub": "\#(subject)", "email": "ada", "email_verified": true}"#, "nor at the userinfo endpoint"),
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
