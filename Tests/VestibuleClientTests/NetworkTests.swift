import Foundation
import Testing
import VestibuleClient

/// What a network does to calls.
@Suite(.timeLimit(.minutes(2))) struct NetworkTests {
    private func client(_ wire: Wire, token: Secret? = nil, patience: Double = 30) -> AuthClient {
        AuthClient(server: wire.url, store: KeptToken(token), patience: patience)
    }

    private static let json = "application/json"
    private static let basic = #"WWW-Authenticate: Basic realm="Staff""#

    @Test func `a server that nobody reaches is no connection`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        let client = AuthClient(server: url, store: MemoryTokenStore())
        let found = try await trouble { try await client.signIn(email: "ada@example.com", password: .good) }
        #expect(found == .noConnection)
        #expect(found.sentence == "No connection. Check your network and try again.")
    }

    @Test func `calls name the language of the app`() async throws {
        let wire = try Wire { _ in Wire.answer("200 OK", Self.json, "{}") }
        let client = AuthClient(server: wire.url, store: MemoryTokenStore(), language: "de-AT")
        #expect(try await trouble { try await client.site() } == .strangeAnswer)
        #expect(wire.requests.first?.contains("\r\nAccept-Language: de-AT\r\n") == true)
    }

    @Test func `an address without a scheme is no connection`() async throws {
        let url = try #require(URL(string: "localhost:8080"))
        let client = AuthClient(server: url, store: MemoryTokenStore())
        #expect(try await trouble { try await client.site() } == .noConnection)
    }

    @Test func `what changes something is sent once, whatever happens to its answer`() async throws {
        let wire = try Wire { _ in nil }
        let found = try await trouble { try await client(wire).signIn(email: "ada@example.com", password: .good) }
        #expect(found == .noAnswer)
        #expect(found.sentence == "Something went wrong on our side. Please try again.")
        #expect(wire.requests.count == 1)
    }

    @Test func `what changes nothing is sent once more when its answer is lost`() async throws {
        let wire = try Wire { _ in nil }
        #expect(try await trouble { try await client(wire).site() } == .noAnswer)
        #expect(wire.requests.count == 2)
    }

    @Test func `a change whose answer is lost was made`() async throws {
        let (house, email) = (try await ServerHouse.shared, newAddress())
        let store = KeptToken(nil)
        _ = try await house.newcomer(email)
        _ = try await house.client(store).signIn(email: email, password: .good)
        let url = house.innerURL
        // The real server carries it out; then the line is dead.
        let wire = try Wire { request in
            _ = Wire.relay(request, to: url)
            return nil
        }
        let cut = AuthClient(server: wire.url, store: store)
        #expect(
            try await trouble { try await cut.changePassword(to: .other, currentPassword: .good) } == .noAnswer)
        #expect(wire.requests.count == 1)
        #expect(store.load() != nil)
        let back = house.client(store)
        #expect(try await back.restore() == .ended)
        #expect(store.load() == nil)
        guard case .signedIn = try await back.signIn(email: email, password: .other) else { throw Unexpected(email) }
    }

    private static let session = #"""
        {"user": {"id": "1", "email": "ada@example.com", "email_verified": true, "name": "Ada",
        "created_at": "2026-11-21T09:30:00Z"}, "terms_required": false}
        """#

    @Test(arguments: [
        Wire.answer("200 OK", "text/html", "<html>Welcome to the hotel</html>"),
        Wire.answer("200 OK", json, "<html>Welcome to the hotel</html>"),
        Wire.answer("200 OK", json, "{}"),
        Wire.answer("401 Unauthorized", "text/html", "<html>Log in</html>"),
        Wire.answer("401 Unauthorized", json, #"{"error": "not ours"}"#),
        Wire.answer("401 Unauthorized", "text/html", "<html>401</html>", basic),
        Wire.answer("200 OK", json, session + String(repeating: " ", count: 2 << 20)),
    ])
    func `a captive portal is trouble, and costs nobody the session`(_ answer: String) async throws {
        let wire = try Wire { _ in answer }
        let store = KeptToken("kept")
        let client = AuthClient(server: wire.url, store: store)
        let found = try await trouble { try await client.restore() }
        #expect(found == .strangeAnswer)
        #expect(found.sentence == "No connection. Check your network and try again.")
        #expect(store.load() == "kept")
    }

    @Test func `a captive portal has done nothing`() async throws {
        let wire = try Wire { _ in Wire.answer("200 OK", "text/html", "<html>Welcome to the hotel</html>") }
        let client = client(wire, token: "kept")
        #expect(try await trouble { try await client.resendResetCode(flow: "flow") } == .strangeAnswer)
        #expect(try await trouble { try await client.export(currentPassword: nil) } == .strangeAnswer)
        #expect(try await trouble { try await client.deleteAccount(currentPassword: .good) } == .strangeAnswer)
    }

    @Test func `a call that came too late with a token just renewed is sent again with the new one`() async throws {
        let isRefused = DispatchSemaphore(value: 0)
        let renewed = Self.session.dropLast() + #", "token": "second"}"#
        let wire = try Wire { request in
            if request.contains("/user/password ") {
                // The answer comes after the refusal of the other call.
                isRefused.wait()
                return Wire.answer("200 OK", Self.json, String(renewed))
            }
            if request.contains("Bearer second") { return Wire.answer("200 OK", Self.json, Self.session) }
            defer { isRefused.signal() }
            return Wire.answer(
                "401 Unauthorized", "application/problem+json",
                #"{"type": "x", "title": "x", "status": 401, "detail": "x", "code": "session_expired"}"#)
        }
        let store = KeptToken("first")
        let client = AuthClient(server: wire.url, store: store)
        async let change: Void = client.changePassword(to: .other, currentPassword: .good)
        try await eventually("the change") { wire.requests.first { $0.contains("/user/password ") } }
        #expect(try await client.restore().user?.name == "Ada")
        try await change
        #expect(store.load() == "second")
        #expect(wire.requests.last?.contains("Bearer second") == true)
    }

    @Test func `of two calls that renew the token, the second is sent with what the first one brought`() async throws {
        let wire = try Wire { request in
            let token = request.contains("Bearer first") ? "second" : "third"
            return Wire.answer("200 OK", Self.json, String(Self.session.dropLast()) + #", "token": "\#(token)"}"#)
        }
        let store = KeptToken("first")
        let client = AuthClient(server: wire.url, store: store)
        async let one: Void = client.changePassword(to: .other, currentPassword: .good)
        async let other: Void = client.changePassword(to: .good, currentPassword: .other)
        _ = try await (one, other)
        #expect(store.load() == "third")
    }

    @Test func `an answer of usual size is read`() async throws {
        let wire = try Wire { _ in Wire.answer("200 OK", Self.json, Self.session + "\n") }
        #expect(try await client(wire, token: "kept").restore().user?.name == "Ada")
    }

    @Test func `a proxy without a server behind it is no answer`() async throws {
        let wire = try Wire { _ in Wire.answer("502 Bad Gateway", "text/html", "<html>502</html>") }
        #expect(try await trouble { try await client(wire).site() } == .noAnswer)
    }

    @Test(arguments: ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
    func `no other host sees the token`(_ status: String) async throws {
        let other = try Wire { _ in Wire.answer("200 OK", Self.json, "{}") }
        let wire = try Wire { _ in Wire.answer(status, Self.json, "{}", "Location: \(other.url)/api/auth/session") }
        #expect(try await trouble { try await client(wire, token: "kept").restore() } == .strangeAnswer)
        #expect(wire.requests.first?.contains("Authorization: Bearer kept") == true)
        #expect(other.requests.isEmpty)
    }

    @Test func `a server that says nothing is given up, and not asked again`() async throws {
        let wire = try Wire.silent()
        #expect(try await trouble { try await client(wire, patience: 1).site() } == .noAnswer)
        try await eventually("the end of the line") { wire.requests.last == "closed" ? true : nil }
        #expect(wire.requests.count == 2)
    }

    @Test func `a server that sends a byte now and then is given up`() async throws {
        let wire = try Wire.dripping(bytes: 100)
        #expect(try await trouble { try await client(wire, patience: 1).site() } == .noAnswer)
        #expect(wire.requests.count == 1)
    }

    @Test func `a refusal is read also where a proxy asks for a password`() async throws {
        let problem = #"{"status": 401, "detail": "No.", "code": "invalid_credentials"}"#
        let wire = try Wire { _ in
            Wire.answer("401 Unauthorized", "application/problem+json", problem, Self.basic)
        }
        let found = try await refusal { try await client(wire).signIn(email: "ada@example.com", password: .good) }
        #expect((found.code, found.sentence) == (.invalidCredentials, "No."))
    }

    @Test func `a refusal says what the server said`() async throws {
        let problem = #"""
            {"type": "x", "title": "x", "status": 429, "detail": "Try again in 90 seconds.", "code": "rate_limited",
             "errors": [{"field": "code", "code": "incorrect", "detail": "No."}], "methods": ["totp", "new"]}
            """#
        let wire = try Wire { _ in
            Wire.answer("429 Too Many Requests", "application/problem+json", problem, "Retry-After: 90")
        }
        let found = try await refusal { try await client(wire).site() }
        #expect((found.code, found.status, found.retryAfter) == (.rateLimited, 429, 90))
        #expect(found.sentence == "Try again in 90 seconds.")
        #expect(found.fields == [FieldError(field: "code", code: "incorrect", detail: "No.")])
        #expect(found.methods == [.totp])
        #expect(wire.requests.count == 1)
    }

    @Test(arguments: [("9223372036854775807", 86_400), ("-9223372036854775808", 0)])
    func `a wait is at most a day, whatever stands before the server`(said: String, seconds: Int) async throws {
        let problem = #"{"type": "x", "title": "x", "status": 503, "detail": "Later.", "code": "unavailable"}"#
        let wire = try Wire { _ in
            Wire.answer("503 Service Unavailable", "application/problem+json", problem, "Retry-After: \(said)")
        }
        #expect(try await refusal { try await client(wire).site() }.retryAfter == seconds)
    }

    @Test func `a code that is not known is unknown`() async throws {
        let problem = #"{"type": "x", "title": "x", "status": 418, "detail": "Short and stout.", "code": "teapot"}"#
        let wire = try Wire { _ in Wire.answer("418 Teapot", "application/problem+json", problem) }
        #expect(try await refusal { try await client(wire).site() }.code == .unknown)
    }
}
