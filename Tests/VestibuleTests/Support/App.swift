import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import Essentials

/// A native app: speaks JSON, keeps a token and no cookies.
actor App {
    static let goodPassword = Browser.goodPassword

    let client: HouseClient
    let address: String
    private(set) var token: String?

    init(client: HouseClient, address: String, token: String? = nil) {
        self.client = client
        self.address = address
        self.token = token
    }

    /// Calls `/api/auth/…` and keeps the token of the answer, if there is one.
    @discardableResult
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: (any Sendable & Encodable)? = nil,
        headers: [String: String] = [:]
    ) async throws -> Reply {
        guard let body else { return try await call(method, path, raw: nil, headers: headers) }
        let type = ["Content-Type": "application/json"].merging(headers) { $1 }
        return try await call(method, path, raw: Array(try JSONEncoder().encode(body)), headers: type)
    }

    @discardableResult
    func call(
        _ method: HTTPRequest.Method, _ path: String, raw: [UInt8]?, headers: [String: String] = [:]
    ) async throws -> Reply {
        var fields = HTTPFields()
        var all = ["X-Forwarded-For": address, "User-Agent": "Acme/1.2 CFNetwork/1490.0.4 Darwin/23.2.0"]
        all["Authorization"] = token.map { "Bearer \($0)" }
        for (name, value) in all.merging(headers, uniquingKeysWith: { $1 }) {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let body = raw.map { ByteBuffer(bytes: $0) }
        let reply = try Reply(try await client.send(method, "/api/auth/\(path)", headers: fields, body: body))
        #expect(reply.headers[.setCookie] == nil)
        if path != "openapi.json" { #expect(reply.headers[.cacheControl] == "no-store") }
        if let token = reply["token"] { self.token = token }
        return reply
    }

    func keep(_ token: String?) {
        self.token = token
    }

    @discardableResult
    func signIn(_ email: String, password: String = goodPassword) async throws -> Reply {
        try await call(.post, "sign-in", ["email": email, "password": password])
    }

    @discardableResult
    func signUp(_ email: String, password: String = goodPassword) async throws -> Reply {
        try await call(
            .post, "sign-up", ["email": email, "password": password, "name": "Ada Lovelace", "terms": "accepted"]
        )
    }

    /// Whether the token opens a session.
    func isSignedIn() async throws -> Bool {
        try await call(.get, "session").status == .ok
    }
}

/// What came back: JSON, or nothing.
struct Reply: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    /// Every text in the answer, by its dotted path: `user.name`, `errors.0.field`.
    let texts: [String: String]
    let body: String

    init(_ page: Page) throws {
        (status, headers, body) = (page.status, page.headers, page.body)
        guard !body.isEmpty else {
            texts = [:]
            return
        }
        let type = status.code < 400 ? "application/json" : "application/problem+json"
        #expect(headers[.contentType] == type)
        texts = Self.flat(try JSONSerialization.jsonObject(with: Data(body.utf8)), "")
        if status.code >= 400 {
            #expect(texts["status"] == "\(status.code)")
            for name in ["type", "title", "detail", "code"] { #expect(texts[name]?.isEmpty == false) }
        }
    }

    subscript(_ path: String) -> String? { texts[path] }

    var code: String? { texts["code"] }

    private static func flat(_ json: Any, _ path: String) -> [String: String] {
        let children: [(String, Any)] =
            switch json {
            case let object as [String: Any]: object.map { ($0.key, $0.value) }
            case let array as [Any]: array.enumerated().map { ("\($0.offset)", $0.element) }
            default: []
            }
        guard !children.isEmpty else { return [path: "\(json)"] }
        return children.reduce(into: [:]) { all, child in
            all.merge(flat(child.1, path.isEmpty ? child.0 : "\(path).\(child.0)")) { first, _ in first }
        }
    }
}

extension House {
    /// An app that nobody is signed in with.
    func app(at address: String = "192.0.2.1", token: String? = nil) -> App {
        App(client: client, address: address, token: token)
    }

    /// An app whose owner has signed up with it.
    func appMember(_ email: String) async throws -> App {
        let app = app()
        let flow = try await app.signUp(email)["flow"] ?? ""
        let code = try await mailbox.code(for: email)
        try #require(try await app.call(.post, "sign-up/verify", ["flow": flow, "code": code]).status == .ok)
        return app
    }
}
