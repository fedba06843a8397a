import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct APIInputTests {
    static let posts = [
        "sign-up", "sign-up/verify", "sign-in", "password-reset", "password-reset/verify", "user/password",
        "user/email", "user/email/verify", "user/terms",
    ]
    static let members = ["email", "password", "name", "terms", "flow", "code", "current_password"]
    static let json = ["Content-Type": "application/json"]

    @Test(arguments: posts)
    func `what is not one clean JSON object is refused`(path: String) async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let clean = #""email": "a@example.com""#
            for body in [
                "", "{", "[]", "\"x\"", "{} {}", "{\(clean),}", "{\(clean), \(clean)}", #"{"x": 01}"#,
                #"{"email": "a", "\u0065mail": "b"}"#, #"{"x": {"y": 1, "y": 2}}"#, #"{"x": "\ud800"}"#, "{'x': 1}",
                "\u{FEFF}{}", "{\"x\": \"\u{1}\"}", String(repeating: "[", count: 5000),
            ] {
                let reply = try await app.call(.post, path, raw: Array(body.utf8), headers: Self.json)
                #expect(reply.status == .badRequest && reply.code == "validation_failed", "\(body.prefix(40))")
            }
            let latin = try await app.call(
                .post, path, raw: Array("{\"x\": \"".utf8) + [0xE9, 0x22, 0x7D], headers: Self.json)
            #expect(latin.status == .badRequest)
            let huge = Array("{\"x\": \"".utf8) + Array(repeating: 0x61, count: 1_000_000) + Array("\"}".utf8)
            #expect(try await app.call(.post, path, raw: huge, headers: Self.json).status == .contentTooLarge)
        }
    }

    @Test(arguments: posts)
    func `other media types are refused`(path: String) async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            for type in [
                "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json",
                "application/json; charset=latin1", "application/json-patch+json",
            ] {
                let reply = try await app.call(.post, path, raw: Array("{}".utf8), headers: ["Content-Type": type])
                #expect(reply.status == .unsupportedMediaType && reply.code == "validation_failed", "\(type)")
                #expect(reply["detail"] == "Send a JSON object as application/json.")
            }
        }
    }

    @Test func `a member of another type is named`() async throws {
        try await withHouse { house in
            for value in ["1", "null", "true", "[]", "{}"] {
                let body = #"{"email": "ada@example.com", "password": \#(value)}"#
                let reply = try await house.app().call(.post, "sign-in", raw: Array(body.utf8), headers: Self.json)
                #expect(reply.status == .badRequest && reply["detail"] == "“password” must be a string.")
            }
        }
    }

    @Test(arguments: posts)
    func `nasty text in any member is a clear no, never a fault`(path: String) async throws {
        let off: [Setting: String] = [.limitLogin: "off", .limitVerify: "off", .limitMail: "off", .limitSignup: "off"]
        try await withHouse(off) { house in
            let app = try await house.appMember("ada@example.com")
            for text in BadInputTests.nasty {
                let body = Dictionary(uniqueKeysWithValues: Self.members.map { ($0, text) })
                let reply = try await app.call(.post, path, body)
                #expect((400..<500).contains(reply.status.code), "\(text.prefix(30))")
            }
            #expect(!house.logs.lines.contains { $0.hasPrefix("error") })
        }
    }

    @Test func `unknown paths, other methods and other sites are problems too`() async throws {
        try await withHouse { house in
            let app = house.app()
            let nothing = try await app.call(.get, "nothing")
            #expect(nothing.status == .notFound && nothing["detail"] == "There is nothing at this address.")
            let method = try await app.call(.get, "sign-in")
            #expect(method.status == .methodNotAllowed && method.headers[.allow] == "POST")
            #expect(method["detail"] == "This address doesn't take that method.")
            #expect(try await app.call(.put, "user").headers[.allow] == "DELETE, GET, HEAD, PATCH")
            let foreign = ["Sec-Fetch-Site": "cross-site"]
            let refused = try await app.call(.post, "sign-in", ["email": "x"], headers: foreign)
            #expect(refused.status == .forbidden && refused["detail"] == "Requests from other sites are refused.")
        }
    }

    @Test(arguments: ["", "Bearer", "Bearer x", "Basic YTpi", "Bearer \(String(repeating: "A", count: 43))"])
    func `a caller without a living token is asked for one`(header: String) async throws {
        try await withHouse { house in
            for (method, path) in [
                (HTTPRequest.Method.get, "session"), (.get, "user"), (.patch, "user"), (.delete, "user"),
                (.get, "sessions"), (.delete, "sessions/x"), (.post, "sign-out"), (.post, "user/password"),
                (.post, "user/email"), (.post, "user/email/verify"), (.post, "user/terms"),
            ] {
                let reply = try await house.app().call(method, path, headers: ["Authorization": header])
                #expect(reply.status == .unauthorized && reply.code == "session_expired")
                #expect(reply.headers[.wwwAuthenticate]?.hasPrefix("Bearer realm=") == true)
            }
        }
    }

    @Test func `a store that cannot work is 503, a fault 500, and neither tells more`() async throws {
        try await withHouse(store: BrokenStore(error: StoreUnavailable("locked"))) { house in
            let reply = try await house.app().signIn("ada@example.com")
            #expect(reply.status == .serviceUnavailable && reply.code == "unavailable")
            #expect(reply.headers[.retryAfter] == "5")
        }
        try await withHouse(store: BrokenStore()) { house in
            let reply = try await house.app().signIn("ada@example.com")
            #expect(reply.status == .internalServerError && reply.code == "unknown")
            #expect(reply["detail"] == "Something went wrong on our side. Please try again.")
            #expect(house.logs.lines.contains { $0.hasPrefix("error fault") })
        }
    }
}
