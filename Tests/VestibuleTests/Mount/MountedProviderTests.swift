import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// Paths of providers begin with `/auth`, and so may the site's.
@Suite("Mount: providers", .timeLimit(.minutes(15)))
struct MountedProviderTests {
    private static let mounted: [Setting: String] = [.publicURL: "http://localhost:8080/auth"]
    private static let ours = ["Sec-Fetch-Site": "same-origin"]

    @Test func `a sign-in through a provider goes there and back under the path`() async throws {
        try await withProviders(Self.mounted) { house, _ in
            let visitor = house.visitor()
            #expect(try await visitor.get("/auth/login").shows("href=\"/auth/auth/example\""))
            let start = try await visitor.get("/auth/auth/example?return_to=/app%3Fx=1%26y=%252F", headers: Self.ours)
            let asked = URLComponents(string: start.location ?? "")?.queryItems ?? []
            func value(_ name: String) -> String { asked.first { $0.name == name }?.value ?? "" }
            #expect(value("redirect_uri") == "http://localhost:8080/auth/auth/example/callback")
            var person = ProviderStandIn.Person()
            (person.nonce, person.challenge) = (value("nonce"), value("code_challenge"))
            let code = try ProviderStandIn.code(person)
            let back = try await visitor.get("/auth/auth/example/callback?state=\(value("state"))&code=\(code)")
            #expect(back.location == "/auth/auth/continue")
            #expect(try await visitor.get("/auth/auth/continue").shows("action=\"/auth/auth/continue\""))
            let fields = ["display_name": "Ada", "terms": "accepted"]
            #expect(try await visitor.post("/auth/auth/continue", fields).location == "/app?x=1&y=%2F")
            #expect(try await visitor.get("/auth/account/security").status == .ok)
        }
    }

    @Test func `Apple posts under the path`() async throws {
        try await withProviders(Self.mounted) { house, standIn in
            let headers = ["Origin": standIn.base, "Sec-Fetch-Site": "cross-site"]
            let posted = try await house.visitor().post(
                "/auth/auth/apple/callback", ["state": "a", "code": "b"], headers: headers)
            #expect(posted.location == "/auth/auth/apple/callback")
            let notice = try await house.visitor().post("/auth/auth/apple/notifications", raw: Array("{}".utf8))
            #expect(notice.status != .notFound && notice.status != .forbidden)
        }
    }

    @Test(arguments: ["/auth", "/auth/", "/auth?a=b", "/auth/login", "/auth/signup?x"])
    func `a failure is told on the page that it began on`(page: String) async throws {
        try await withProviders(Self.mounted) { house, _ in
            let visitor = house.visitor()
            let headers = Self.ours.merging(["Referer": "http://localhost:8080\(page)"]) { $1 }
            let start = try await visitor.get("/auth/auth/example", headers: headers)
            let items = URLComponents(string: start.location ?? "")?.queryItems ?? []
            let state = items.first { $0.name == "state" }?.value ?? ""
            let failed = try await visitor.get("/auth/auth/example/callback?state=\(state)&code=wrong")
            let name = page.dropFirst(5).split(separator: "?").first.map(String.init) ?? "/"
            #expect(failed.leads(to: "/auth\(name.hasPrefix("/") ? name : "/")", saying: .providerFailed))
        }
    }
}
