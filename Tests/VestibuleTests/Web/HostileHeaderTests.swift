import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// Header fields in which a mark stands beside what separates.
@Suite(.timeLimit(.minutes(15)))
struct HostileHeaderTests {
    @Test func `a cookie is found behind one that ends in a letter that joins`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let token = await member.cookies["vestibule"] ?? ""
            let other = house.visitor()
            #expect(
                try await other.get("/account", headers: ["Cookie": "x=\u{D4E}; vestibule=\(token)"]).status == .ok)
            for cookie in ["vestibule\u{301}=\(token)", "vestibule=\(token)\u{301}", "\u{600}vestibule=\(token)"] {
                #expect(try await other.get("/account", headers: ["Cookie": cookie]).status == .seeOther)
            }
        }
    }

    @Test(arguments: ["image", "iframe"])
    func `a page of a sibling host that asks for an image or a frame leaves no cookie`(
        destination: String
    ) async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            for path in ["/login?lang=ar", "/reset/continue?flow=x", "/account/email/undo?token=x"] {
                let fields = ["Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": destination]
                let unseen = try await visitor.get(path, headers: fields)
                #expect(unseen.headers[.setCookie] == nil, "\(path)")
                #expect(try await visitor.get(path).headers[.setCookie] != nil, "\(path)")
            }
            let fields = ["Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": destination, "Sec-Fetch-Mode": "no-cors"]
            for path in ["/healthz?lang=ar", "/.well-known/openid-configuration?lang=ar"] {
                #expect(try await visitor.get(path, headers: fields).headers[.setCookie] == nil, "\(path)")
            }
        }
    }

    @Test(arguments: [["X-Requested-With": "com.example.mail"], ["Sec-Purpose": "prefetch;prerender"]])
    func `a link of a mail that an app opens, or that a browser prepares, leaves its cookie`(
        fields: [String: String]
    ) async throws {
        try await withHouse { house in
            let typed = ["Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate"]
            let page = try await house.visitor().get(
                "/reset/continue?flow=x", headers: typed.merging(fields) { $1 })
            #expect(page.headers[.setCookie] != nil)
        }
    }

    @Test func `a cookie of ours with a tower of marks counts as absent`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let tower = "x" + String(repeating: "\u{300}", count: 31)
            let cookies = "vestibule=\(tower); vestibule=\(await member.cookies["vestibule"] ?? "")"
            #expect(try await house.visitor().get("/account", headers: ["Cookie": cookies]).status == .ok)
        }
    }

    @Test func `a bearer token stands behind one space`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let token = await app.token ?? ""
            for (header, status) in [
                ("bearer \(token)", HTTPResponse.Status.ok), ("Bearer \u{301}\(token)", .unauthorized),
                ("Bearer\u{D4E} \(token)", .unauthorized), ("Bearer \(token)\u{301}", .unauthorized),
            ] {
                #expect(
                    try await house.app().call(.get, "session", headers: ["Authorization": header]).status == status)
            }
        }
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded; a=\u{D4E};", HTTPResponse.Status.unprocessableContent),
        ("application/x-www-form-urlencoded\u{D4E};", .unsupportedMediaType),
        ("application/x-www-form-urlencoded\u{301}", .unsupportedMediaType),
        ("application/x-www-form-urlencoded; charset=utf-16", .unsupportedMediaType),
        ("application/x-www-form-urlencoded;charset=UTF-8", .unprocessableContent),
        // As older clients in Java send it.
        ("application/x-www-form-urlencoded; charset=ISO-8859-1", .unprocessableContent),
        ("application/x-www-form-urlencoded; charset=\"Utf-8\"", .unprocessableContent),
    ])
    func `a media type ends where its parameters begin`(type: String, status: HTTPResponse.Status) async throws {
        try await withHouse { house in
            let page = try await house.visitor().post("/login", ["email": "x"], headers: ["Content-Type": type])
            #expect(page.status == status)
        }
    }

    @Test(arguments: [("gzip", HTTPResponse.Status.unsupportedMediaType), ("Identity", .unprocessableContent)])
    func `a body that is compressed is not read`(encoding: String, status: HTTPResponse.Status) async throws {
        try await withHouse { house in
            let headers = ["Content-Encoding": encoding]
            #expect(try await house.visitor().post("/login", ["email": "x"], headers: headers).status == status)
            let json = headers.merging(["Content-Type": "application/json"]) { $1 }
            let reply = try await house.app().call(.post, "sign-in", raw: Array("{}".utf8), headers: json)
            #expect((reply.status == .unsupportedMediaType) == (status == .unsupportedMediaType))
        }
    }

    @Test func `languages and tags are found behind letters that join`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let german = try await visitor.get("/login", headers: ["Accept-Language": "fr\u{D4E}, de;q=0.9"])
            #expect(german.headers[.contentLanguage] == "de")
            let etag = try #require(german.headers[.eTag])
            let known = ["Accept-Language": "de", "If-None-Match": "\"\u{D4E}\", \(etag)"]
            #expect(try await visitor.get("/login", headers: known).status == .notModified)
            let marked = ["Accept-Language": "de", "If-None-Match": "\(etag)\u{301}"]
            #expect(try await visitor.get("/login", headers: marked).status == .ok)
        }
    }

    @Test func `where to go after signing in is compared letter by letter`() async throws {
        try await withHouse([.afterLoginURL: "https://app.example/Kit"]) { house in
            _ = try await house.member("ada@example.com")
            let page = try await house.visitor().logIn(
                email: "ada@example.com", returnTo: "https://app.example/\u{212A}it")
            #expect(page.location?.isExactly("https://app.example/Kit") == true)
        }
    }
}
