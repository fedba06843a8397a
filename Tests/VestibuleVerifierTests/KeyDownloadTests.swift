import HTTPTypes
import Hummingbird
import NIOCore
import Testing
import VerifierSupport
import VestibuleVerifier

/// Over a real connection.
@Suite("Keys at an address", .timeLimit(.minutes(15)))
struct KeyDownloadTests {
    private let specimen = Specimen()

    @Test func `they are read there`() async throws {
        try await LocalServer.run(answering: { [keySet] _ in Self.ok(keySet) }) { origin in
            try await expectSuccess(with: "\(origin)/keys")
        }
    }

    @Test func `by default there is the application's own host`() async throws {
        let answer: @Sendable (Request) -> Response = { [keySet] request in
            request.uri.path == "/.vestibule/jwks.json" ? Self.ok(keySet) : Response(status: .notFound)
        }
        try await LocalServer.run(answering: answer) { origin in
            var specimen = specimen
            specimen.claims["aud"] = "\"\(origin)\""
            let token = try specimen.token()
            try await patiently {
                let verifier = AssertionVerifier(
                    issuer: Specimen.issuer, audience: origin, keys: nil, now: { [now = specimen.now] in now })
                _ = try await verifier.verify(token)
            }
        }
    }

    @Test(arguments: [HTTPResponse.Status.accepted, .found, .unauthorized, .internalServerError])
    func `only a 200 has them`(status: HTTPResponse.Status) async throws {
        try await expectTrouble { [keySet] _ in Response(status: status, body: .init(byteBuffer: keySet)) }
    }

    @Test func `a redirect is not followed, wherever it leads`() async throws {
        try await LocalServer.run(answering: { [keySet] _ in Self.ok(keySet) }) { good in
            try await expectTrouble { _ in Response(status: .found, headers: [.location: "\(good)/keys"]) }
        }
    }

    @Test func `64 KiB are read and no byte more`() async throws {
        var (exact, longer) = (keySet, keySet)
        exact.writeRepeatingByte(0x20, count: 65_536 - keySet.readableBytes)
        longer.writeRepeatingByte(0x20, count: 65_537 - keySet.readableBytes)
        try await LocalServer.run(answering: { [exact] _ in Self.ok(exact) }) { try await expectSuccess(with: $0) }
        try await expectTrouble { [longer] _ in Self.ok(longer) }
    }

    @Test func `an answer without end is given up`() async throws {
        let block = ByteBuffer(repeating: 0x20, count: 4096)
        try await expectTrouble { _ in Self.endless { try await $0.write(block) } }
    }

    @Test func `an answer that comes byte by byte has five seconds`() async throws {
        let time = try await ContinuousClock().measure {
            try await expectTrouble { [keySet] _ in
                Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        // Half a minute: a busy machine ends the five seconds late, but before
                        // the keys come.
                        for _ in 0..<150 {
                            try await writer.write(ByteBuffer(string: " "))
                            try await Task.sleep(for: .milliseconds(200))
                        }
                        try await writer.write(keySet)
                        try await writer.finish(nil)
                    })
            }
        }
        #expect(time > .seconds(4))
    }

    @Test(arguments: ["", "notes.example.com", "http://127.0.0.1:1/", "ftp://127.0.0.1:1/"])
    func `an address where nothing is`(address: String) async {
        await expectTrouble(with: address)
    }

    private static func ok(_ body: ByteBuffer) -> Response { Response(status: .ok, body: .init(byteBuffer: body)) }

    private static func endless(
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        Response(status: .ok, body: ResponseBody { writer in while true { try await write(&writer) } })
    }

    private var keySet: ByteBuffer { ByteBuffer(string: specimen.keySet) }

    private func verify(with address: String) async throws -> Identity {
        let verifier = AssertionVerifier(
            issuer: Specimen.issuer, audience: Specimen.audience, keys: .address(address),
            now: { [now = specimen.now] in now })
        return try await verifier.verify(specimen.token())
    }

    private func expectSuccess(with address: String) async throws {
        try await patiently { _ = try await verify(with: address) }
    }

    /// Again while the time of a download is over: on a busy machine this process may take longer
    /// to answer itself.
    private func patiently(_ verify: () async throws -> Void) async throws {
        while true {
            do {
                return try await verify()
            } catch AssertionError.keysUnavailable(let reason) where reason.contains("Code=-1001") {}
        }
    }

    private func expectTrouble(answering: @escaping @Sendable (Request) -> Response) async throws {
        try await LocalServer.run(answering: answering) { await expectTrouble(with: $0) }
    }

    private func expectTrouble(with address: String) async {
        let error = await #expect(throws: AssertionError.self) { try await verify(with: address) }
        guard case .keysUnavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
