import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing
import VerifierSupport
import VestibuleHummingbird
import VestibuleVerifier

/// An application behind the middleware, over real connections.
@Suite("An application behind the door", .timeLimit(.minutes(1)))
struct DoorTests {
    private let specimen = Specimen()

    @Test func `it greets whom the assertion names`() async throws {
        let answer = try await answer(to: "/", [.assertion: specimen.token()])
        #expect(answer.status == .ok && String(buffer: answer.body) == "Hello, Ada.")
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func `a script sends it as a bearer token`(scheme: String) async throws {
        #expect(try await answer(to: "/", [.authorization: "\(scheme) \(specimen.token())"]).status == .ok)
    }

    @Test(arguments: ["", "Bearer", "Bearer ", "Basic YTpi", "Bearer a.b.c"])
    func `without one nobody gets in`(authorization: String) async throws {
        let answer = try await answer(to: "/", [.authorization: authorization])
        #expect(answer.status == .unauthorized && answer.headers[.wwwAuthenticate] == "Bearer")
    }

    @Test func `the proxy's word counts before a script's`() async throws {
        let fields: HTTPFields = [.assertion: "forged", .authorization: "Bearer \(try specimen.token())"]
        #expect(try await answer(to: "/", fields).status == .unauthorized)
    }

    @Test(arguments: [HTTPField.Name.assertion, .authorization])
    func `two of them are none`(name: HTTPField.Name) async throws {
        let value = (name == .authorization ? "Bearer " : "") + (try specimen.token())
        let twice = HTTPFields([HTTPField(name: name, value: value), HTTPField(name: name, value: value)])
        #expect(try await answer(to: "/", [name: value]).status == .ok)
        #expect(try await answer(to: "/", twice).status == .unauthorized)
    }

    @Test func `a path that does not exist is not shown to strangers`() async throws {
        #expect(try await answer(to: "/nothing", [:]).status == .unauthorized)
        #expect(try await answer(to: "/nothing", [.assertion: specimen.token()]).status == .notFound)
    }

    @Test func `a group's routes are for its members`() async throws {
        let fields: HTTPFields = [.assertion: try specimen.token()]
        #expect(try await answer(to: "/staff", fields).status == .ok)
        #expect(try await answer(to: "/admins", fields).status == .forbidden)
        #expect(try await answer(to: "/admins", [:]).status == .unauthorized)
    }

    @Test(arguments: ["/", "/staff"])
    func `a route outside the middleware knows nobody`(path: String) async throws {
        let fields: HTTPFields = [.assertion: try specimen.token()]
        #expect(try await answer(to: path, fields, middleware: false).status == .unauthorized)
    }

    @Test func `while the keys cannot be read it says so`() async throws {
        let keys = KeySource { throw CancellationError() }
        let answer = try await answer(to: "/", [.assertion: specimen.token()], keys: keys)
        #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "5")
    }

    private func answer(
        to path: String, _ fields: HTTPFields, middleware: Bool = true, keys: KeySource? = nil
    ) async throws -> TestResponse {
        let published = KeySource { [keySet = specimen.keySet] in Data(keySet.utf8) }
        let verifier = AssertionVerifier(
            issuer: Specimen.issuer, audience: Specimen.audience, keys: keys ?? published,
            now: { [now = specimen.now] in now })
        let router = Router(context: VisitContext.self)
        if middleware { router.add(middleware: AssertionMiddleware(verifier)) }
        router.get("/") { _, context in "Hello, \(try context.identity.person?.name ?? "machine")." }
        router.group("staff").add(middleware: GroupMiddleware("staff")).get { _, _ in "Staff" }
        router.group("admins").add(middleware: GroupMiddleware("admins")).get { _, _ in "Admins" }
        let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        return try await Application(router: router, logger: silent).test(.live) { client in
            try await client.execute(uri: path, method: .get, headers: fields)
        }
    }
}

extension HTTPField.Name {
    fileprivate static var assertion: Self { Self("Vestibule-Assertion") ?? .cookie }
}
