import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// "Keep me signed in": on every page that signs in, ticked as the operator says.
@Suite(.timeLimit(.minutes(15)))
struct RememberTests {
    private static let ticked = #"name="remember" type="checkbox" value="on" data-kept checked"#

    /// The age of the session cookie that page set, in seconds; nil when it ends with the browser.
    private func age(_ page: Page) -> String? {
        let line = page.headers[values: .setCookie].first { $0.hasPrefix("vestibule=") } ?? ""
        return line.firstMatch(of: /Max-Age=(\d+)/).map { String($0.output.1) }
    }

    @Test(arguments: [nil, "on", "off"] as [String?])
    func `the box is ticked when a page opens, unless the operator says otherwise`(value: String?) async throws {
        let settings: [Setting: String] = value.map { [.rememberDefault: $0] } ?? [:]
        try await withHouse(settings) { house in
            for path in ["/login", "/signup", "/login?return_to=/privacy", "/signup?lang=en"] {
                let page = try await house.visitor().get(path)
                #expect(page.shows("name=\"remember\"") && page.shows(Self.ticked) == (value != "off"), "\(path)")
            }
        }
    }

    @Test(arguments: [true, false])
    func `a sign-up keeps its owner signed in only when asked to`(remember: Bool) async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            var fields = Browser.signupFields(email: "ada@example.com")
            if remember { fields["remember"] = "on" }
            try await visitor.post("/signup", fields)
            let done = try await visitor.type(code: house.mailbox.code(for: "ada@example.com"))
            #expect(done.location == "/account" && age(done) == (remember ? "2592000" : nil))
        }
    }

    @Test(arguments: [true, false])
    func `so does one without verification`(remember: Bool) async throws {
        try await withHouse([.verification: "off"]) { house in
            var fields = Browser.signupFields(email: "ada@example.com")
            if remember { fields["remember"] = "on" }
            let done = try await house.visitor().post("/signup", fields)
            #expect(age(done) == (remember ? "2592000" : nil))
        }
    }

    @Test(arguments: ["/login", "/signup"])
    func `a refused form comes back with the box as it was sent`(path: String) async throws {
        try await withHouse { house in
            let off = try await house.visitor().post(path, ["email": "ada@"])
            #expect(off.status == .unprocessableContent && !off.shows(Self.ticked))
            #expect(try await house.visitor().post(path, ["email": "ada@", "remember": "on"]).shows(Self.ticked))
        }
    }
}
