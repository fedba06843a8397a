import Foundation
import Testing

/// `vestibule healthcheck`, as a container's runtime runs it.
@Suite(.timeLimit(.minutes(15)))
struct HealthcheckTests {
    /// Development mode listens on every address only where it is told that this is meant.
    private func listening(at host: String, _ settings: [String: String] = [:]) -> [String: String] {
        settings.merging(["VESTIBULE_HOST": host, "VESTIBULE_DEV_EXPOSE": "on"]) { $1 }
    }

    /// What the server of a host and a port is asked with.
    private func check(_ program: Program, port: Int, host: String = "127.0.0.1") async throws -> Program.Outcome {
        try await program.run("healthcheck", environment: listening(at: host, ["VESTIBULE_PORT": "\(port)"]))
    }

    @Test(arguments: ["127.0.0.1", "0.0.0.0", "localhost"])
    func `a server that can work is exit 0, also where it listens on every address`(host: String) async throws {
        let program = try Program()
        let server = try await Server(program, environment: listening(at: host))
        let outcome = try await check(program, port: server.port, host: host)
        #expect(outcome.status == 0 && outcome.output == "ok\n" && outcome.errors.isEmpty, "\(outcome)")
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test func `a server under a path is asked at the root`() async throws {
        let program = try Program()
        let settings = ["VESTIBULE_PUBLIC_URL": "http://localhost:8080/auth"]
        let server = try await Server(program, environment: settings)
        #expect(try await check(program, port: server.port).status == 0)
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test func `a server that has ended is exit 1, an error and a hint`() async throws {
        let program = try Program()
        let server = try await Server(program)
        #expect(await server.end(SIGTERM) == 0)
        let outcome = try await check(program, port: server.port)
        #expect(outcome.status == 1 && outcome.isRefusal)
        #expect(outcome.errors.contains("nothing answers at 127.0.0.1:\(server.port)"))
    }

    @Test(.enabled(if: ReadOnly.isPossible, ReadOnly.needs))
    func `a server whose store cannot work is exit 1, and the part is named`() async throws {
        let program = try Program()
        let server = try await Server(program)
        let database = ["", "-wal"].map { "\(program.folder)/data/vestibule.sqlite\($0)" }
        try await ReadOnly.during(database) {
            let outcome = try await check(program, port: server.port)
            #expect(outcome.status == 1 && outcome.isRefusal)
            #expect(outcome.errors.contains("the server is not ready: store"), "\(outcome)")
        }
        #expect(try await check(program, port: server.port).status == 0)
        #expect(await server.end(SIGTERM) == 0)
    }
}
