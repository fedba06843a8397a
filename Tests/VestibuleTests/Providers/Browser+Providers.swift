import Foundation
import HTTPTypes
import TestSupport

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// Signing in through a provider, as a browser does it.
extension Browser {
    /// What the page we send a browser to is asked.
    struct Asked: Sendable {
        let url: String
        let fields: [String: String]

        var state: String { fields["state"] ?? "" }
        var nonce: String { fields["nonce"] ?? "" }
    }

    /// Follows a link on one of our pages, and agrees where that is asked; returns what the
    /// provider is asked.
    func startSignIn(_ path: String, from referrer: String? = nil) async throws -> Asked {
        var page = try await follow(path, from: referrer)
        if let agreed = page.agreement { page = try await follow(agreed) }
        let location = page.location ?? ""
        let items = URLComponents(string: location)?.queryItems ?? []
        return Asked(
            url: location, fields: Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 }))
    }

    /// A link on one of our pages, as a browser opens it.
    @discardableResult
    func follow(_ path: String, from referrer: String? = nil) async throws -> Page {
        var headers = ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
        headers["Referer"] = referrer.map { "http://localhost:8080\($0)" }
        return try await get(path, headers: headers)
    }

    /// The whole way through the provider called "Example", up to its answer to us.
    @discardableResult
    func comeFromExample(
        _ person: ProviderStandIn.Person = .init(), path: String = "/auth/example"
    ) async throws -> Page {
        let asked = try await startSignIn(path)
        var person = person
        person.nonce = asked.nonce
        person.challenge = asked.fields["code_challenge"]
        let code = try ProviderStandIn.code(person)
        return try await get("/auth/example/callback?state=\(asked.state)&code=\(code)")
    }

    /// The same through Apple: a form posted across sites, which no cookie goes along with.
    @discardableResult
    func comeFromApple(
        _ person: ProviderStandIn.Person = .init(), _ standIn: ProviderStandIn, user: String? = nil,
        path: String = "/auth/apple"
    ) async throws -> Page {
        let asked = try await startSignIn(path)
        var person = person
        person.nonce = asked.nonce
        var fields = ["state": asked.state, "code": try ProviderStandIn.code(person)]
        fields["user"] = user
        return try await postFromApple(fields, standIn)
    }

    func postFromApple(_ fields: [String: String], _ standIn: ProviderStandIn) async throws -> Page {
        let kept = cookies
        for name in kept.keys { forget(name) }
        let headers = ["Origin": standIn.base, "Sec-Fetch-Site": "cross-site"]
        let page = try await post("/auth/apple/callback", fields, headers: headers)
        for (name, value) in kept { set(name, value) }
        guard page.status == .seeOther else { return page }
        return try await get(page.location ?? "")
    }

    /// Accepts the terms; signed up.
    @discardableResult
    func acceptAndContinue(name: String = "Ada Lovelace") async throws -> Page {
        try await post("/auth/continue", ["display_name": name, "terms": "accepted"])
    }

    /// Everything up to an account without a password.
    func signUpThroughExample(_ person: ProviderStandIn.Person = .init()) async throws {
        try await comeFromExample(person)
        try await acceptAndContinue()
    }

    /// The link on the account page that adds the provider.
    func linkToAddExample() async throws -> String {
        try await get("/account/security").linkToProvider("link", "example") ?? ""
    }
}

extension Page {
    /// The first link to a provider, or to that one, that carries a mark of that name, as its
    /// browser reads it.
    func linkToProvider(_ mark: String, _ provider: String = "") -> String? {
        body.matches(of: /(?:href="|content="0; url=)(\/auth\/[a-z]+\?[^"]+)"/)
            .map { String($0.output.1).replacing("&amp;", with: "&") }
            .first { $0.contains("\(mark)=") && $0.hasPrefix("/auth/\(provider)") }
    }

    /// The link of the page that asks before a sign-in begins.
    var agreement: String? { status == .ok ? linkToProvider("agreed") : nil }
}

/// A house with Apple and another provider, both played by the shared stand-in, and no limits in
/// the way.
func withProviders(
    _ values: [Setting: String] = [:], _ test: @escaping @Sendable (House, ProviderStandIn) async throws -> Void
) async throws {
    let standIn = try await ProviderStandIn.shared.value
    let settings = standIn.apple.merging([.limitLogin: "off", .limitSignup: "off"]) { $1 }.merging(values) { $1 }
    try await withHouse(settings, clock: TestClock(Date()), environment: standIn.example) {
        try await test($0, standIn)
    }
}
