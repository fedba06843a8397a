import Foundation
import HTTPTypes
import NIOCore

@testable import Essentials

/// A visitor's browser, as far as a server sees it: cookies, forms, redirects that are not followed
/// by themselves.
actor Browser {
    static let goodPassword = "correct horse battery"

    let client: HouseClient
    let address: String
    /// The path of the public URL, put before every path that is asked for without it.
    let mount: String
    private(set) var cookies: [String: String] = [:]
    private(set) var last = Page(status: .ok, headers: [:], body: "")

    init(client: HouseClient, address: String, mount: String = "") {
        self.client = client
        self.address = address
        self.mount = mount
    }

    /// The same person coming back from another network.
    func moved(to address: String) -> Browser {
        let other = Browser(client: client, address: address, mount: mount)
        return other
    }

    /// Takes over a copy of somebody's cookie.
    func steal(_ name: String, from other: Browser) async {
        cookies[name] = await other.cookies[name]
    }

    @discardableResult
    func get(_ path: String, headers: [String: String] = [:]) async throws -> Page {
        try await send(.get, path, headers: headers, body: nil)
    }

    @discardableResult
    func post(_ path: String, _ fields: [String: String], headers: [String: String] = [:]) async throws -> Page {
        let form = fields.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }.joined(separator: "&")
        return try await post(path, raw: Array(form.utf8), headers: headers)
    }

    @discardableResult
    func post(_ path: String, raw: [UInt8], headers: [String: String] = [:]) async throws -> Page {
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        return try await send(.post, path, headers: type.merging(headers) { $1 }, body: ByteBuffer(bytes: raw))
    }

    @discardableResult
    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: [String: String] = [:], body: ByteBuffer? = nil
    ) async throws -> Page {
        let fields = fields(headers)
        let path = path.hasPrefix("\(mount)/") ? path : mount + path
        return take(try await client.send(method, path, headers: fields, body: body))
    }

    /// What it sends with a request: its cookies, and those headers.
    func fields(_ headers: [String: String]) -> HTTPFields {
        var fields = HTTPFields()
        var all = ["X-Forwarded-For": address, "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"]
        if !cookies.isEmpty {
            all["Cookie"] = cookies.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "; ")
        }
        for (name, value) in all.merging(headers, uniquingKeysWith: { $1 }) {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }

    /// Keeps the cookies of an answer.
    @discardableResult
    func take(_ page: Page) -> Page {
        keep(page.headers[values: .setCookie])
        last = page
        return page
    }

    func forget(_ cookie: String) {
        cookies[cookie] = nil
    }

    func set(_ cookie: String, _ value: String) {
        cookies[cookie] = value
    }

    private func keep(_ lines: [String]) {
        for line in lines {
            let pair = line.split(separator: ";")[0].split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let isGone = line.contains("Max-Age=0")
            cookies[String(pair[0])] = isGone ? nil : String(pair[1])
        }
    }

    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

/// What came back.
struct Page: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: String

    /// Where a redirect leads.
    var location: String? { headers[.location] }

    var title: String? { body.firstMatch(of: /<title>([^<]*)<\/title>/).map { String($0.output.1) } }

    /// Without the places where it may be hyphenated.
    var heading: String? {
        body.firstMatch(of: /<h1[^>]*>([^<]*)<\/h1>/).map { match in String(match.output.1.filter { $0 != "\u{AD}" }) }
    }

    /// The session's form token.
    var csrf: String? { body.firstMatch(of: /name="csrf" value="([^"]+)"/).map { String($0.output.1) } }

    /// The link of a mail that its form is for.
    var link: String? { body.firstMatch(of: /name="link" value="([^"]+)"/).map { String($0.output.1) } }

    func shows(_ sentence: String) -> Bool {
        body.contains(sentence)
    }

    /// An address as a sentence of a page shows it, in one piece.
    static func address(_ address: String) -> String { "<bdi class=\"address\" dir=\"ltr\">\(address)</bdi>" }
}
