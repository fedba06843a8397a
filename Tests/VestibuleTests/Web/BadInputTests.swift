import Foundation
import HTTPTypes
import NIOCore
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct BadInputTests {
    static let posts = [
        "/signup", "/signup/verify", "/signup/resend", "/signup/strength", "/login", "/logout", "/account/terms",
        "/reset",
        "/reset/verify", "/reset/resend",
    ]
    static let fields = [
        "display_name", "email", "password", "password_confirmation", "code", "terms", "return_to", "csrf",
    ]
    static let nasty = [
        "", " ", "{{7*7}}", "{{{brand}}}", "[[site.url]]", "<script>alert(1)</script>", "' OR 1=1 --", "\"><img src=x>",
        "a\r\nBcc: b@example.com", "\u{0}", "\u{1}\u{7f}", "👩‍👩‍👧‍👦", "مرحبا‮abc", "%00", "%n%@", "../../etc/passwd",
        String(repeating: "x", count: 10_000), "a@b@c.example", "ada\u{FF20}example.com", "\u{202E}gnp.exe",
    ]

    @Test(arguments: posts)
    func `nasty text in any field is a clear no, never a fault and never unescaped`(path: String) async throws {
        try await withHouse([.limitSignup: "off", .limitLogin: "off", .limitVerify: "off", .limitMail: "off"]) {
            house in
            let member = try await house.member("ada@example.com")
            let pending = house.visitor()
            try await pending.signUp(email: "bob@example.com")
            for visitor in [member, pending, house.visitor()] {
                for text in Self.nasty {
                    let page = try await visitor.post(
                        path, Dictionary(uniqueKeysWithValues: Self.fields.map { ($0, text) }))
                    #expect(page.status.code < 500, "\(path) \(text.prefix(30))")
                    #expect(
                        !page.shows("<script>alert") && !page.shows("<img src=x>") && !page.shows(">49<")
                            && !page.shows("\"49\""))
                }
            }
            #expect(!house.logs.lines.contains { $0.hasPrefix("error") })
        }
    }

    @Test(arguments: posts)
    func `malformed bodies are refused`(path: String) async throws {
        try await withHouse { house in
            let visitor = try await house.member("ada@example.com")
            #expect(try await visitor.post(path, raw: Array("email=%ZZ".utf8)).status == .badRequest)
            #expect(try await visitor.post(path, raw: Array("email=%FF%FE".utf8)).status == .badRequest)
            #expect(try await visitor.post(path, raw: Array("email=a%A9".utf8)).status == .badRequest)
            #expect(try await visitor.post(path, raw: [0x65, 0x3d, 0xff, 0xfe]).status == .badRequest)
            #expect(try await visitor.post(path, raw: Array("email=a&email=b".utf8)).status == .badRequest)
            let json = try await visitor.post(
                path, raw: Array("{}".utf8), headers: ["Content-Type": "application/json"])
            #expect(json.status == .unsupportedMediaType)
            let multipart = ["Content-Type": "multipart/form-data; boundary=x"]
            #expect(try await visitor.post(path, raw: [], headers: multipart).status == .unsupportedMediaType)
            let huge = Array("password=".utf8) + Array(repeating: UInt8(ascii: "x"), count: 1_000_000)
            #expect(try await visitor.post(path, raw: huge).status == .contentTooLarge)
            #expect(!house.logs.lines(of: "input_validation_fail").isEmpty)
        }
    }

    /// Marks of different classes have to be sorted to be compared, which takes quadratic time.
    @Test(arguments: posts)
    func `towers of combining marks are refused before anything compares them`(path: String) async throws {
        try await withHouse { house in
            let visitor = try await house.member("ada@example.com")
            func tower(_ height: Int) -> String {
                "a" + (0..<height).map { $0.isMultiple(of: 2) ? "\u{316}" : "\u{300}" }.joined()
            }
            for field in ["email", "display_name", tower(31)] {
                #expect(try await visitor.post(path, [field: tower(31)]).status == .badRequest)
            }
            #expect(try await visitor.post(path, ["email": tower(30)]).status != .badRequest)
        }
    }

    @Test func `a refused sign-up leaves nothing behind`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            var fields = Browser.signupFields(email: "ada@example.com")
            fields["terms"] = nil
            let page = try await visitor.post("/signup", fields)
            #expect(page.status == .unprocessableContent)
            #expect(await visitor.cookies.isEmpty)
            #expect(try await house.services.store.nextMailDue() == nil)
        }
    }

    @Test func `a password over 1,024 bytes is refused in words`() async throws {
        try await withHouse { house in
            let page = try await house.visitor().signUp(
                email: "ada@example.com", password: String(repeating: "ab cd ef ", count: 200)
            )
            #expect(page.status == .unprocessableContent && page.shows("id=\"new-password-error\""))
        }
    }

    @Test func `a store that cannot work gives a 503 page, and nothing typed is lost`() async throws {
        try await withHouse(store: BrokenStore(error: StoreUnavailable("locked"))) { house in
            let visitor = house.visitor()
            for page in [
                try await visitor.signUp(email: "ada@example.com"), try await visitor.logIn(email: "ada@example.com"),
            ] {
                #expect(page.status == .serviceUnavailable && page.headers[.retryAfter] != nil)
                #expect(page.shows("Something went wrong on our side. Please try again."))
                #expect(page.shows("value=\"ada@example.com\""))
            }
            #expect(try await visitor.get("/readyz").status == .serviceUnavailable)
            #expect(try await visitor.get("/healthz").status == .ok)
            #expect(try await visitor.get("/login").status == .ok)
        }
    }

    @Test func `while the store is down, a cookie changes nothing about pages that are the same for everybody`()
        async throws
    {
        let store = BrokenStore(error: StoreUnavailable("locked"))
        try await withHouse(store: store, environment: ["VESTIBULE_APP_NOTES_REDIRECTS": "https://n.example/in"]) {
            house in
            let visitor = house.visitor()
            await visitor.set("vestibule", Token(from: .system).text)
            for path in ["/terms", "/privacy", "/.well-known/openid-configuration"] {
                #expect(try await visitor.get(path).status == .ok, "\(path)")
            }
            #expect(try await visitor.get("/.well-known/change-password").location == "/account/password")
            // This page redirects visitors who are signed in.
            let login = try await visitor.get("/login")
            #expect(login.status == .serviceUnavailable)
            #expect(await visitor.cookies["vestibule"] != nil)
        }
    }

    @Test func `a request for the keys is no use of a session`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let seen = try await house.lastSeen("ada@example.com")
            house.clock.advance(by: .seconds(3600))
            #expect(try await member.get("/.well-known/jwks.json").status == .ok)
            #expect(try await house.lastSeen("ada@example.com") == seen)
            #expect(try await member.get("/account").status == .ok)
            #expect(try await house.lastSeen("ada@example.com") > seen)
        }
    }
}
