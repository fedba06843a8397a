import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// What begins a sign-in through a provider, and what does not.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderStartTests {
    private static let question = "Continue with Example?"

    private func nothingBegan(_ page: Page) -> Bool {
        page.headers[values: .setCookie].isEmpty && page.location == nil
    }

    @Test(
        arguments: [
            ["Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "same-origin"],
            ["Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "cross-site"],
            ["Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"],
            ["Sec-Fetch-Dest": "", "Sec-Fetch-Mode": "navigate"], ["Sec-Fetch-Mode": "websocket"],
            ["Sec-Purpose": "prefetch", "Sec-Fetch-Site": "same-origin"], ["Purpose": "prefetch"],
            ["Sec-Purpose": "prefetch;prerender", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "same-origin"],
        ]
    )
    func `nothing begins for what nobody looks at`(headers: [String: String]) async throws {
        try await withProviders { house, _ in
            let page = try await house.visitor().get("/auth/example", headers: headers)
            #expect(page.status == .forbidden && nothingBegan(page))
            let head = try await house.visitor().send(.head, "/auth/example")
            #expect(nothingBegan(head))
        }
    }

    @Test(arguments: [
        ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"], ["Referer": "http://localhost:8080/login"],
    ])
    func `a link of ours and the address bar lead there at once`(headers: [String: String]) async throws {
        try await withProviders { house, standIn in
            let page = try await house.visitor().get("/auth/example", headers: headers)
            #expect(page.location?.hasPrefix("\(standIn.base)/auth/authorize?") == true)
        }
    }

    @Test(
        arguments: [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Referer": "https://evil.example/"],
            [:],
        ]
    )
    func `a link from elsewhere meets a page that asks`(headers: [String: String]) async throws {
        try await withProviders { house, standIn in
            let visitor = house.visitor()
            let page = try await visitor.get("/auth/example?return_to=/account/email", headers: headers)
            #expect(page.status == .ok && page.heading == Self.question && nothingBegan(page))
            let agreed = try #require(page.agreement)
            #expect(agreed.hasSuffix("&return_to=/account/email"))
            let site = headers["Sec-Fetch-Site"] == nil ? [:] : ["Sec-Fetch-Site": "same-origin"]
            let start = try await visitor.get(agreed, headers: site)
            #expect(start.location?.hasPrefix("\(standIn.base)/auth/authorize?") == true)
            // Another site may know the mark: it is no secret of this browser.
            let linked = try await visitor.get(agreed, headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(linked.heading == Self.question)
            let elsewhere = try await house.visitor(at: "198.51.100.4").get(agreed)
            #expect(elsewhere.heading == Self.question)
        }
    }

    @Test func `another language of the question is the question again`() async throws {
        try await withProviders { house, _ in
            let headers = ["Sec-Fetch-Site": "same-origin"]
            let page = try await house.visitor().get("/auth/example?lang=de", headers: headers)
            #expect(page.heading == "Mit Example fortfahren?" && page.location == nil)
        }
    }

    @Test func `somebody who is signed in is asked, wherever the link stood`() async throws {
        try await withProviders { house, _ in
            try await house.visitor().signUpThroughExample()
            let member = try await house.member("grace@example.com")
            try await member.get("/account")
            for site in ["same-origin", "none", "cross-site"] {
                let page = try await member.get("/auth/example", headers: ["Sec-Fetch-Site": site])
                #expect(page.heading == Self.question && page.shows("grace@example.com") && nothingBegan(page))
            }
            #expect(try await member.isSignedIn())
            #expect(try await member.comeFromExample().location == "/account")
            #expect(try await member.get("/account").shows("ada@example.com"))
        }
    }

    @Test func `somebody who signed in meanwhile stays signed in`() async throws {
        try await withProviders { house, _ in
            try await house.visitor().signUpThroughExample()
            _ = try await house.member("grace@example.com")
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example")
            try await visitor.logIn(email: "grace@example.com")
            let person = ProviderStandIn.Person(nonce: asked.nonce, challenge: asked.fields["code_challenge"])
            let code = try ProviderStandIn.code(person)
            let page = try await visitor.get("/auth/example/callback?state=\(asked.state)&code=\(code)")
            #expect(page.leads(to: "/account", saying: .signedInAlready))
            let account = try await visitor.get("/account")
            #expect(account.shows("grace@example.com") && account.shows("already signed in."))
        }
    }

    @Test func `beginning has a counter of its own`() async throws {
        let standIn = try await ProviderStandIn.shared.value
        try await withHouse(clock: TestClock(Date()), environment: standIn.example) { house in
            let visitor = house.visitor()
            for _ in 0..<30 { _ = try await visitor.startSignIn("/auth/example") }
            #expect(try await visitor.follow("/auth/example").status == .tooManyRequests)
            for _ in 0..<30 {
                let page = try await visitor.logIn(email: "\(UUID())@example.com", password: "guess")
                #expect(page.status == .unprocessableContent)
            }
            let other = house.visitor(at: "198.51.100.5")
            for _ in 0..<30 { try await other.logIn(email: "\(UUID())@example.com", password: "guess") }
            #expect(try await other.startSignIn("/auth/example").url.hasPrefix(standIn.base))
        }
    }

    @Test(arguments: [
        ("", 226), ("off", 270), ("40/m/ip, 2000/h/ip, 10/15m/address", 270),
    ])
    func `in an hour two hundred begin at one address, and as many as logins where their setting says so`(
        logins: String, count: Int
    ) async throws {
        let standIn = try await ProviderStandIn.shared.value
        let settings: [Setting: String] = logins.isEmpty ? [:] : [.limitLogin: logins]
        try await withHouse(settings, clock: TestClock(Date()), environment: standIn.example) { house in
            let visitor = house.visitor()
            var begun = 0
            for number in 0..<270 {
                if number % 30 == 0 { house.clock.advance(by: .seconds(60)) }
                if try await visitor.follow("/auth/example").status == .seeOther { begun += 1 }
            }
            // In the eight minutes from the first to the last, one place is free again every
            // eighteen seconds.
            #expect(begun == count)
        }
    }
}
