import Foundation
import TestSupport

/// Which server the suites run against, as `scripts/test-client` says it in the environment.
/// Without, it is the one that `BuiltProgram` names, on SQLite, without TLS, with this machine's
/// clock.
enum TestMode {
    private static let environment = ProcessInfo.processInfo.environment

    /// `VESTIBULE_TEST_AUTHORITY`: a folder with the key and the certificate of an authority that
    /// this machine trusts, `root.key` and `root.pem`. With it every server stands behind a Caddy
    /// that speaks TLS.
    static let authority = environment["VESTIBULE_TEST_AUTHORITY"].map { URL(filePath: $0) }

    /// `VESTIBULE_TEST_AHEAD`: how many seconds the clocks of servers are ahead of the clients'.
    static let ahead = environment["VESTIBULE_TEST_AHEAD"].flatMap { Int($0) } ?? 0

    /// The setting of a new database, with `VESTIBULE_TEST_ENGINE=postgres`; none for a file of
    /// SQLite.
    static func database() async throws -> [String: String] {
        guard environment["VESTIBULE_TEST_ENGINE"] == "postgres" else { return [:] }
        let server = try await PostgresServer.shared.value
        return ["VESTIBULE_DATABASE_URL": server.url(of: try await server.makeDatabase())]
    }

    /// What a program is started with so that its clock is ahead.
    static func clock(ahead seconds: Int, in folder: URL) async throws -> [String: String] {
        guard seconds != 0 else { return [:] }
        let library = folder.appending(path: "clock\(seconds).so")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "cc", "-shared", "-fPIC", "-DAHEAD=\(seconds)", "-o", library.path,
            BuiltProgram.repository.appending(path: "Tests/StandIns/clock.c").path,
        ]
        try compiler.runAlone()
        try await eventually("a clock") { compiler.isRunning ? nil : true }
        guard compiler.terminationStatus == 0 else { throw Unexpected("no clock") }
        return ["LD_PRELOAD": library.path]
    }
}
