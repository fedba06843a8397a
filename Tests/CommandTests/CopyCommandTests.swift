import Foundation
import Testing

@Suite(.timeLimit(.minutes(15)))
struct CopyCommandTests {
    @Test func `a database that is served is copied only when that is asked for`() async throws {
        let program = try Program()
        let server = try await Server(program)
        let from = "sqlite:data/vestibule.sqlite"
        // The server is in the list of nodes when it has been listening for a moment.
        while try await program.run("nodes").output.split(separator: "\n").count < 2 {}
        let refused = try await program.run("copy", from, "sqlite:copy.sqlite")
        #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains("--while-served"))
        #expect(!FileManager.default.fileExists(atPath: "\(program.folder)/copy.sqlite"))
        #expect(try await program.run("copy", "--while-served", from, "sqlite:rehearsal.sqlite").status == 0)
        #expect(await server.end(SIGTERM) == 0)
        #expect(try await program.run("copy", from, "sqlite:copy.sqlite").status == 0)
    }

    /// What a newer version keeps in tables of its own would be missing.
    @Test func `a database of a newer version is not copied`() async throws {
        let program = try Program()
        #expect(try await program.run("migrate").status == 0)
        try await program.change("INSERT INTO grdb_migrations (identifier) VALUES ('999 the future')")
        let refused = try await program.run("copy", "sqlite:data/vestibule.sqlite", "sqlite:copy.sqlite")
        #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains("tables of another version"))
        #expect(!FileManager.default.fileExists(atPath: "\(program.folder)/copy.sqlite"))
    }
}
