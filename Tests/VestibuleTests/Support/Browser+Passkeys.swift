import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// What the page's script does, with an authenticator at hand.
extension Browser {
    static let passkeys = "/account/security/passkeys"

    /// Fetches what a passkey is to sign or to be made for; its cookie stays with the browser.
    func question(_ path: String) async throws -> PasskeyQuestion {
        let csrf = path.hasPrefix("/account") ? try await formToken() : ""
        let page = try await post(path, ["csrf": csrf])
        try #require(page.status == .ok)
        return try JSONDecoder().decode(PasskeyQuestion.self, from: Data(page.body.utf8))
    }

    /// Adds a passkey on the page of passkeys; the authenticator learns who the account is.
    @discardableResult
    func add(_ key: inout Authenticator, name: String = "", byItself: Bool = false) async throws -> Page {
        var fields = ["csrf": try await get("/account/security").csrf ?? "", "name": name]
        let answer = try await post("\(Self.passkeys)/options", fields)
        // A proof comes first: the script sends the form as it is.
        guard answer.status != .forbidden else { return try await post(Self.passkeys, fields) }
        let question = try JSONDecoder().decode(PasskeyQuestion.self, from: Data(answer.body.utf8))
        key.handle = question.handle
        fields["credential"] = try key.registration(question.bytes).text
        if byItself { fields["by_itself"] = "on" }
        return try await post(Self.passkeys, fields)
    }

    /// The button of the login page.
    @discardableResult
    func logIn(with key: Authenticator, returnTo: String? = nil) async throws -> Page {
        let question = try await question("/login/passkey/options")
        return try await send(try key.assertion(question.bytes), returnTo: returnTo)
    }

    /// What the button of the login page ends with.
    @discardableResult
    func send(_ message: Message, returnTo: String? = nil) async throws -> Page {
        var fields = ["credential": try message.text]
        fields["return_to"] = returnTo
        return try await post("/login/passkey", fields)
    }

    /// The second step by passkey.
    @discardableResult
    func second(with key: Authenticator, trust: Bool = false) async throws -> Page {
        let question = try await question("/login/passkey/options")
        var fields = ["credential": try key.assertion(question.bytes).text]
        if trust { fields["trust"] = "on" }
        return try await post("/login/second", fields)
    }

    /// A code at the second step.
    @discardableResult
    func second(code: String) async throws -> Page {
        try await post("/login/second", ["code": code])
    }

    /// Answers the page that asks for a second factor, which holds a form back.
    @discardableResult
    func prove(_ page: Page, with key: Authenticator) async throws -> Page {
        let question = try await question("\(Self.passkeys)/proof-options")
        let fields = ["csrf": page.csrf ?? "", "credential": try key.assertion(question.bytes).text]
        return try await post(page.heldForm ?? "", fields)
    }

    /// Of the session, from the account page, or from the terms where they come first.
    private func formToken() async throws -> String {
        if let csrf = try await get("/account").csrf { return csrf }
        return try await get("/account/terms").csrf ?? ""
    }

    /// Sends a form of somebody signed in.
    @discardableResult
    func submit(_ path: String, _ fields: [String: String] = [:]) async throws -> Page {
        let csrf = try await formToken()
        return try await post(path, fields.merging(["csrf": csrf]) { $1 })
    }
}

/// The options as a script reads them.
struct PasskeyQuestion: Decodable {
    struct User: Decodable { let id: String }
    struct Credential: Decodable { let id: String }

    let challenge: String
    let user: User?
    let allowCredentials, excludeCredentials: [Credential]?

    var bytes: [UInt8] { Base64URL.decode(challenge) ?? [] }
    var handle: [UInt8]? { user.flatMap { Base64URL.decode($0.id) } }
}

extension Message {
    var text: String {
        get throws { String(decoding: try json, as: UTF8.self) }
    }
}

extension Authenticator {
    /// One for the site of a house, with a credential of that number.
    init(number: UInt8 = 1) {
        self.init()
        relyingParty = "localhost"
        origin = "http://localhost:8080"
        id = [UInt8](repeating: number, count: 32)
    }
}

extension Page {
    /// Where the page that asks for a proof sends it.
    var heldForm: String? {
        body.firstMatch(of: /action="([^"]+\?held=[^"]+)"/).map { String($0.output.1) }
    }

    /// Whether a second factor is asked for before the form goes on.
    var asksSecondProof: Bool { status == .ok && heldForm != nil && shows("id=\"second-") }
}

extension House {
    /// Somebody who has signed up and added a passkey, at once.
    func memberWithPasskey(_ email: String) async throws -> (browser: Browser, key: Authenticator) {
        let member = try await member(email)
        var key = Authenticator(number: 1)
        try #require(await member.add(&key).status == .seeOther)
        return (member, key)
    }

    func factors(of email: String) async throws -> AccountFactors {
        try await services.store.factors(accountID: try await account(email).id)
    }

    /// What the operator does with `users disable`.
    func disable(_ email: String) async throws {
        let account = try await account(email)
        #expect(try await Administration(services: services).disable(account))
    }

    /// How many wrong passwords and steps in a row.
    func failuresInARow(_ email: EmailAddress) async throws -> Int {
        try await services.store.loginRecord(emailKey: email.key, failuresKey: House.key.failuresKey(email))
            .failuresInARow
    }

    func session(of browser: Browser) async throws -> Session { try await record(of: browser).session }
}
