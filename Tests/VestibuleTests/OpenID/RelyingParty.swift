import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// An application that signs people in by OpenID Connect, as its own server and as a browser see
/// it.
struct RelyingParty: Sendable {
    let house: House
    let id: String
    /// Nil for a public client.
    let secret: String?
    let redirect: String
    /// The Basic OP plan sends no PKCE, so its clients need none.
    static let environment = [
        "VESTIBULE_APP_NOTES_REDIRECTS": "https://notes.example/in,https://notes.example/in?from=site",
        "VESTIBULE_APP_NOTES_PKCE": "optional", "VESTIBULE_APP_NOTES_OFFLINE": "on",
        "VESTIBULE_APP_NOTES_LOGOUT_REDIRECTS": "https://notes.example/bye",
        "VESTIBULE_APP_WIKI_REDIRECTS": "https://wiki.example/in", "VESTIBULE_APP_WIKI_GROUPS": "staff",
        "VESTIBULE_APP_WIKI_ID_TOKEN": "ES256", "VESTIBULE_APP_WIKI_TRUSTED": "on",
        "VESTIBULE_APP_PHONE_REDIRECTS": "com.example.phone:/in,http://127.0.0.1/in",
        "VESTIBULE_APP_PHONE_CLIENT": "public", "VESTIBULE_APP_PLAIN_ORIGINS": "https://plain.example",
    ]
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// RFC 7636 appendix B.
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    static let pkce: [String: String?] = ["code_challenge": challenge, "code_challenge_method": "S256"]

    /// The path of a request; nil takes a parameter away.
    func path(_ changes: [String: String?] = [:]) -> String {
        var fields = [
            "client_id": id, "redirect_uri": redirect, "response_type": "code", "scope": "openid profile email",
            "state": "s-1", "nonce": "n-1",
        ]
        for (name, value) in changes { fields[name] = value }
        return "/oauth/authorize?"
            + fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(Browser.escaped($0.value))" }.joined(separator: "&")
    }

    /// Asks, says yes where that is asked, and returns where the browser is sent.
    func answer(to browser: Browser, _ changes: [String: String?] = [:]) async throws -> Answer {
        let page = try await browser.get(path(changes))
        guard page.shows("Continue to ") else { return try Answer(page) }
        return try Answer(try await browser.decide(on: page))
    }

    func code(_ browser: Browser, _ changes: [String: String?] = [:]) async throws -> String {
        let answer = try await answer(to: browser, changes)
        return try #require(answer["code"], "\(answer.fields)")
    }

    /// What the application's server sends; it authenticates by the header.
    func token(_ fields: [String: String], at address: String = "192.0.2.50") async throws -> TokenReply {
        var (fields, headers): ([String: String], [String: String]) = (fields, [:])
        if let secret {
            headers["Authorization"] = "Basic \(Data("\(id):\(secret)".utf8).base64EncodedString())"
        } else {
            fields["client_id"] = id
        }
        return try TokenReply(try await house.visitor(at: address).post("/oauth/token", fields, headers: headers))
    }

    func redeem(_ code: String, _ changes: [String: String?] = [:]) async throws -> TokenReply {
        var fields = ["grant_type": "authorization_code", "code": code, "redirect_uri": redirect]
        for (name, value) in changes { fields[name] = value }
        return try await token(fields)
    }

    func refresh(_ token: String) async throws -> TokenReply {
        try await self.token(["grant_type": "refresh_token", "refresh_token": token])
    }

    /// The whole way, and what the ID token says.
    func signIn(_ browser: Browser, _ changes: [String: String?] = [:]) async throws -> (TokenReply, ReadIDToken) {
        let reply = try await redeem(try await code(browser, changes))
        try #require(reply.status == .ok, "\(reply.texts)")
        return (reply, try await ReadIDToken(reply["id_token"] ?? "", house))
    }

    func userinfo(_ token: String?) async throws -> Page {
        try await house.visitor().get("/oauth/userinfo", headers: ["Authorization": "Bearer \(token ?? "")"])
    }

    /// Whether the access token opens anything.
    func opens(_ token: String?) async throws -> Bool {
        try await userinfo(token).status == .ok
    }
}

/// Where a browser was sent with an answer.
struct Answer: Sendable {
    let to: String
    let fields: [String: String]

    init(_ page: Page) throws {
        let location = try #require(page.location, "\(page.status) \(page.heading ?? "")")
        try #require(page.status == .seeOther)
        let items = URLComponents(string: location)?.queryItems ?? []
        to = String(location.prefix { $0 != "?" })
        fields = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $0 + $1 }
    }

    subscript(name: String) -> String? { fields[name] }
}

/// What the token endpoint answers.
struct TokenReply: Sendable {
    let status: HTTPResponse.Status
    let texts: [String: String]

    init(_ page: Page) throws {
        status = page.status
        #expect(page.headers[.contentType] == "application/json" && page.headers[.cacheControl] == "no-store")
        let json = try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any] ?? [:]
        texts = json.mapValues { "\($0)" }
    }

    subscript(name: String) -> String? { texts[name] }
}

/// An ID token as a client reads it: by the published keys and swift-crypto alone.
struct ReadIDToken {
    let header: [String: String]
    let claims: [String: Any]

    init(_ text: String, _ house: House) async throws {
        let parts = text.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        func object(_ part: String) throws -> Any {
            try JSONSerialization.jsonObject(with: Data(try #require(Base64URL.decode(part))))
        }
        header = try #require(try object(parts[0]) as? [String: String])
        claims = try #require(try object(parts[1]) as? [String: Any])
        let key = try #require(try ReadAssertion.keys(try await house.keySet()).first { $0["kid"] == header["kid"] })
        try #require(key["alg"] == header["alg"])
        let signature = try #require(Base64URL.decode(parts[2]))
        try #require(try Self.isRight(signature, Array("\(parts[0]).\(parts[1])".utf8), key))
    }

    private static func isRight(_ signature: [UInt8], _ message: [UInt8], _ key: [String: String]) throws -> Bool {
        func bytes(_ name: String) throws -> [UInt8] { try #require(Base64URL.decode(key[name] ?? "")) }
        guard key["kty"] == "RSA" else {
            let point = try bytes("x") + bytes("y")
            return try P256.Signing.PublicKey(rawRepresentation: point).isValidSignature(
                P256.Signing.ECDSASignature(rawRepresentation: signature), for: message)
        }
        return try _RSA.Signing.PublicKey(n: bytes("n"), e: bytes("e")).isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: message, padding: .insecurePKCS1v1_5)
    }

    func text(_ name: String) -> String? { claims[name] as? String }
    func number(_ name: String) -> Int? { claims[name] as? Int }
    func list(_ name: String) -> [String]? { claims[name] as? [String] }
}

extension Browser {
    /// Answers a question of `/oauth/authorize`.
    @discardableResult
    func decide(_ answer: String = "allow", on page: Page, headers: [String: String] = [:]) async throws -> Page {
        try await post(
            "/oauth/authorize",
            ["csrf": page.csrf ?? "", "resume": try page.hidden("resume"), "answer": answer], headers: headers)
    }
}

extension House {
    /// Made once: in a debug build that takes seconds.
    private static let rsaKey = Task {
        let start = TestClock().now
        return try await SigningKey.make(.rs256).stored(sealedBy: House.key, createdAt: start, signsFrom: start)
    }

    /// The application of that name in the settings, with a secret if it has any.
    func party(_ id: String = "notes") async throws -> RelyingParty {
        _ = try await services.store.addFirstSigningKey(try await Self.rsaKey.value)
        let client = try #require(services.applications.client(id)?.client)
        let secrets = ClientSecrets(store: services.store, author: services.author)
        let secret = client.isPublic ? nil : try await secrets.create(for: id)?.secret.text
        return RelyingParty(house: self, id: id, secret: secret, redirect: client.redirects[0].text)
    }
}

/// Opens a house with clients, the one called Notes, and somebody who is signed in.
func withParty(
    _ values: [Setting: String] = [:], environment: [String: String] = [:], id: String = "notes",
    _ test: @escaping @Sendable (RelyingParty, Browser, House) async throws -> Void
) async throws {
    let environment = RelyingParty.environment.merging(environment) { $1 }
    try await withHouse(values, environment: environment) { house in
        try await test(try await house.party(id), try await house.member("ada@example.com"), house)
    }
}
