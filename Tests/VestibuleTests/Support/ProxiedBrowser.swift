import Essentials
import Foundation
import HTTPTypes
import Logging
import NIOCore
import Testing

@testable import Vestibule

/// A browser that opens applications through a proxy: each host has cookies of its own.
actor ProxiedBrowser {
    static let environment = [
        "VESTIBULE_PUBLIC_URL": "https://login.example.com", "VESTIBULE_DEV_EXPOSE": "on",
        "VESTIBULE_APP_NOTES_ORIGINS": "https://notes.example.net", "VESTIBULE_APP_NOTES_HEADERS": "plain",
        "VESTIBULE_APP_WIKI_ORIGINS": "https://wiki.example.org", "VESTIBULE_APP_WIKI_GROUPS": "staff",
        "VESTIBULE_APP_HOME_ORIGINS": "https://login.example.com",
    ]
    static let notes = "https://notes.example.net"
    static let wiki = "https://wiki.example.org"
    static let home = "https://login.example.com"
    static let newPassword = "gravel lantern orbit"

    let house: House
    /// The browser's cookies of the sign-in's host.
    let site: Browser
    private var hosts: [String: Browser] = [:]

    init(_ house: House, _ site: Browser) {
        (self.house, self.site) = (house, site)
    }

    /// The browser with the cookies of that origin's host.
    func browser(at origin: String) -> Browser {
        if origin == Self.home { return site }
        if let known = hosts[origin] { return known }
        let new = Browser(client: house.client, address: "192.0.2.1")
        hosts[origin] = new
        return new
    }

    /// Asks for a verdict as Caddy does; the browser's cookies of that host come along.
    func verdict(
        _ target: String = "/", at origin: String = notes, method: String = "GET", headers: [String: String] = [:]
    ) async throws -> Page {
        let url = try #require(Origin(origin))
        let family = [
            "X-Forwarded-Method": method, "X-Forwarded-Proto": url.isSecure ? "https" : "http",
            "X-Forwarded-Host": url.authority, "X-Forwarded-Uri": target, "Accept": "text/html,*/*;q=0.8",
        ]
        let page = try await browser(at: origin).get(
            "/authz/forward-auth", headers: family.merging(headers) { $1 })
        #expect(page.headers[.setCookie] == nil && page.headers[.cacheControl] == "no-store")
        return page
    }

    /// The same as nginx does.
    func nginxVerdict(
        _ target: String = "/", at origin: String = notes, headers: [String: String] = [:]
    ) async throws -> Page {
        let all = [
            "X-Original-Method": "GET", "X-Original-URL": origin + target, "Accept": "text/html,*/*;q=0.8",
        ].merging(headers.filter { !$0.key.hasPrefix("X-Forwarded-") }) { $1 }
        return try await browser(at: origin).get("/authz/auth-request", headers: all)
    }

    /// Asks for a URL as a browser does, through a proxy that hands over `/.vestibule/`.
    @discardableResult
    func open(
        _ url: String, method: HTTPRequest.Method = .get, headers: [String: String] = [:]
    ) async throws -> Page {
        let components = try #require(URLComponents(string: url))
        let origin = try #require(Origin(ofURL: url))
        let target = String(url.dropFirst("\(components.scheme ?? "")://\(components.host ?? "")".count))
        let all = [
            "X-Forwarded-Proto": components.scheme ?? "", "Accept": "text/html",
        ].merging(headers) { $1 }
        let browser = browser(at: origin.text)
        return await browser.take(
            try await house.client.send(method, target, host: origin.authority, headers: await browser.fields(all)))
    }

    /// The link with a ticket that the hand-over from `start`, or from a verdict on `/x`, leads to.
    func ticket(from start: String? = nil) async throws -> String {
        var link = start
        if link == nil { link = try await verdict("/x").location }
        let enter = try #require(await open(link ?? "").location)
        return try #require(await open(enter).location)
    }

    /// Sets another password, here or in another browser of the same person.
    func changePassword(in other: Browser? = nil) async throws {
        let browser = other ?? site
        let changed = try await browser.post(
            "/account/password",
            [
                "csrf": try await browser.get("/account/password").csrf ?? "",
                "current_password": Browser.goodPassword, "password": Self.newPassword,
                "password_confirmation": Self.newPassword,
            ])
        #expect(changed.status == .seeOther)
    }

    /// What the operator does with `users disable`.
    func disable(_ email: String) async throws {
        let record = try await house.services.store.loginRecord(emailKey: email, failuresKey: [])
        let account = try #require(record.account)
        #expect(try await Administration(services: house.services).disable(account))
    }

    /// Follows redirects from the verdict on, until a page or the application answers.
    func visit(_ target: String, at origin: String = notes) async throws -> Page {
        try await follow(try await verdict(target, at: origin), at: origin)
    }

    /// The same from an answer on; at most as many as browsers follow.
    func follow(_ answer: Page, at origin: String = notes) async throws -> Page {
        var page = answer
        for _ in 0..<20 {
            guard page.status == .seeOther, var location = page.location else { return page }
            if location.hasPrefix("/") { location = Self.home + location }
            let isOurs = location.hasPrefix(Self.home) || location.contains("/.vestibule/")
            if !isOurs || origin == Self.home && !location.contains("/.vestibule/") && !location.contains("/login") {
                let next = try #require(Origin(ofURL: location))
                page = try await verdict(String(location.dropFirst(next.text.count)), at: next.text)
            } else {
                page = try await open(location)
            }
        }
        return page
    }
}

/// Opens a house with applications behind it and somebody who is signed in.
func withApplications(
    _ settings: [String: String] = [:], values: [Setting: String] = [:], logLevel: Logger.Level = .info,
    _ test: @escaping @Sendable (ProxiedBrowser, House) async throws -> Void
) async throws {
    let environment = ProxiedBrowser.environment.merging(settings) { $1 }
    try await withHouse(values, environment: environment, logLevel: logLevel) { house in
        try await test(ProxiedBrowser(house, try await house.member("ada@example.com")), house)
    }
}

extension Page {
    subscript(header: String) -> String? { HTTPField.Name(header).flatMap { headers[$0] } }
}

extension House {
    func account(_ email: String) async throws -> Account {
        let record = try await services.store.loginRecord(emailKey: email, failuresKey: [])
        return try #require(record.account)
    }

    func rename(_ email: String, to name: String) async throws {
        let owner = visitor()
        try await owner.logIn(email: email, password: Browser.goodPassword)
        let record = try await record(of: owner)
        let event = services.author.event(.login, record.accountID)
        try await services.store.rename(to: name, by: record.presented, event: event)
    }

    /// What the operator does with `users groups`.
    func change(groups email: String, adding: [String] = [], removing: [String] = []) async throws {
        let change = GroupChange(
            accountID: try await account(email).id, adding: Set(adding.compactMap(GroupName.init)),
            removing: Set(removing.compactMap(GroupName.init)))
        #expect(try await GroupMembership(store: services.store).change(change))
    }

    /// What the operator gets from `tokens create`.
    func machineToken(for application: String) async throws -> String {
        let tokens = MachineTokens(store: services.store, author: services.author)
        let named = try #require(Applications(services.settings.applications).application(named: application))
        let label = try #require(MachineTokens.Label("backup"))
        return try await tokens.create(for: named, label: label, lifetime: nil).secret.text
    }

    /// When the account's only session was used last, as the store has it.
    func lastSeen(_ email: String) async throws -> Date {
        let id = try await account(email).id
        let overview = try await services.store.accountOverview(accountID: id, events: 0, now: services.now())
        return try #require(overview.sessions.first).lifetime.lastSeenAt
    }
}
