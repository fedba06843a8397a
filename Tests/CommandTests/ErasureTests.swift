import Foundation
import TestSupport
import Testing

@testable import Essentials

/// What is left on the disk of somebody who was deleted.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ErasureTests {
    private static let email = "ada.erasure@example.com"
    private static let name = "Augusta Erasure"

    /// Ways to delete an account.
    enum Way: CaseIterable { case page, api, command }

    @Test(arguments: Way.allCases)
    func `no file of the database holds an address, name or hash once its account is deleted`(way: Way) async throws {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        let session = try await program.signUp(Self.email, name: Self.name, at: server)
        let traces = try await traces(in: program)
        #expect(try program.found(traces) == traces)
        try await delete(way, program, server, session)
        #expect(try program.found(traces).isEmpty)
        #expect(try await server.send("/readyz").status == 200)
        #expect(await server.end(SIGTERM) == 0)
        #expect(try program.found(traces).isEmpty)
        #expect(try program.databaseFiles() == ["vestibule.sqlite"])
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a server that is stopped as soon as it has started ends in order, and leaves one file`(signal: Int32)
        async throws
    {
        let program = try Program()
        let (process, _, errors) = program.prepare(["serve"], [:])
        let ended = try process.start()
        for await line in Server.lines(of: errors) where line.contains("sys_startup") {
            kill(process.processIdentifier, signal)
        }
        #expect(await ended.first { _ in true } == 0)
        #expect(try program.databaseFiles() == ["vestibule.sqlite"])
    }

    @Test func `a stopped server and a command leave one file, also a command that fails`() async throws {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        _ = try await program.signUp(Self.email, name: Self.name, at: server)
        let traces = try await traces(in: program)
        #expect(await server.end(SIGTERM) == 0)
        #expect(try program.databaseFiles() == ["vestibule.sqlite"])
        #expect(try await program.run("users", "show", "nobody@example.com").status == 1)
        #expect(try program.databaseFiles() == ["vestibule.sqlite"])
        #expect(try program.found(traces) == traces)
        #expect(try await program.run("users", "delete", Self.email, "--yes").status == 0)
        #expect(try program.databaseFiles() == ["vestibule.sqlite"])
        #expect(try program.found(traces).isEmpty)
    }

    @Test func `a server that was killed cuts its log at the next start`() async throws {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        let session = try await program.signUp(Self.email, name: Self.name, at: server)
        let traces = try await traces(in: program)
        let reader = try await Reader(program)
        try await delete(.page, program, server, session)
        // Somebody reads what was there before: it stays until they end.
        #expect(try program.found(traces) == traces)
        _ = await server.end(SIGKILL)
        await reader.end()
        let again = try await Server(program, environment: Program.easy)
        while try !program.found(traces).isEmpty {
            // The server cuts its log and can tell nobody; the suite's limit of time ends the wait.
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(await again.end(SIGTERM) == 0)
    }

    /// Address, name and password hash.
    private func traces(in program: Program) async throws -> [String] {
        let script = """
            import sqlite3
            print(sqlite3.connect('data/vestibule.sqlite').execute('SELECT password_hash FROM accounts').fetchone()[0])
            """
        let hash = try await program.run(["-c", script], of: "/usr/bin/python3").output
        try #require(hash.hasPrefix("$argon2id$"))
        return [Self.email, Self.name, hash.trimmingCharacters(in: .newlines)]
    }

    private func delete(_ way: Way, _ program: Program, _ server: Server, _ session: String) async throws {
        let password = Program.password.replacing(" ", with: "+")
        switch way {
        case .page:
            let page = try await server.send("/account/delete", cookie: session).body
            let csrf = try #require(page.firstMatch(of: /name="csrf" value="([^"]+)"/)?.output.1)
            let form = "csrf=\(csrf)&current_password=\(password)&confirm=delete"
            #expect(try await server.send("/account/delete", form: form, cookie: session).status == 303)
        case .api:
            let signIn = #"{"email":"\#(Self.email)","password":"\#(Program.password)"}"#
            let answer = try await server.call("POST", "sign-in", signIn)
            let token = try #require(answer.body.firstMatch(of: /"token":"([^"]+)"/)?.output.1)
            let proof = #"{"current_password":"\#(Program.password)"}"#
            #expect(try await server.call("DELETE", "user", proof, token: String(token)).status == 204)
        case .command:
            #expect(try await program.run("users", "delete", Self.email, "--yes").status == 0)
        }
    }
}

/// Another program that reads the database and does not end its transaction.
private struct Reader {
    private let process: Process
    private let ended: AsyncStream<Int32>

    init(_ program: Program) async throws {
        let script = """
            import sqlite3, sys
            d = sqlite3.connect('data/vestibule.sqlite', isolation_level=None)
            d.execute('BEGIN')
            d.execute('SELECT count(*) FROM accounts').fetchone()
            print('reading', flush=True)
            sys.stdin.read()
            """
        let (process, output, _) = program.prepare(["-c", script], [:])
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.standardInput = Pipe.alone()
        (self.process, ended) = (process, try process.start())
        _ = await Server.lines(of: output).first { $0 == "reading" }
    }

    func end() async {
        kill(process.processIdentifier, SIGKILL)
        _ = await ended.first { _ in true }
    }
}

extension Program {
    /// The database and what SQLite keeps beside it, by name.
    func databaseFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/data")
            .filter { $0.hasPrefix("vestibule.sqlite") }.sorted()
    }

    /// Which of the texts stand in one of those files.
    func found(_ texts: [String]) throws -> [String] {
        let bytes = try databaseFiles().compactMap { FileManager.default.contents(atPath: "\(folder)/data/\($0)") }
        return texts.filter { text in bytes.contains { $0.range(of: Data(text.utf8)) != nil } }
    }
}
