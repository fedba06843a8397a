import Crypto
import Foundation
import Testing

@testable import Essentials

@Suite(.timeLimit(.minutes(15)), .serialized)
struct SessionsTests {
    @Test func `sessions are listed and ended, one or all, under the server's feet`() async throws {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        let first = try await program.signUp("ada@example.com", at: server)
        let password = Program.password.replacing(" ", with: "+")
        let second = try await server.send("/login", form: "email=ada%40example.com&password=\(password)")
            .cookie("vestibule")
        let list = ["sessions", "list", "ada@example.com"]
        let sessions = try await program.run(list + ["--json"]).objects()
        #expect(sessions.count == 2 && sessions.allSatisfy { $0["address"] as? String == "127.0.0.1" })
        let id = try #require(sessions.first?["id"] as? String)
        let ended = try await program.run("sessions", "end", "ada@example.com", id)
        #expect(ended.output == "ended 1 session of ada@example.com\n")
        let again = try await program.run("sessions", "end", "ada@example.com", id)
        #expect(again.status == 1 && again.isRefusal && again.errors.contains("has no session"))
        var alive = 0
        for cookie in [first, second] {
            alive += try await server.send("/account", cookie: cookie).status == 200 ? 1 : 0
        }
        #expect(alive == 1)
        let rest = try await program.run("sessions", "end", "ada@example.com", "--all", "--json").objects()
        #expect(rest.first?["ended"] as? Int == 1)
        #expect(try await program.run(list).output.split(separator: "\n").count == 1)
        #expect(try await program.run("audit", "tail", "--json").output.contains("session_revoked"))
        _ = await server.end(SIGTERM)
    }

    @Test func `no command tells a password, hash, token, code or key`() async throws {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        let session = try await program.signUp("ada@example.com", at: server)
        let code = try await program.code(for: "ada@example.com")
        _ = await server.end(SIGTERM)
        #expect(try await program.run("users", "send-reset", "ada@example.com").status == 0)
        var told = ""
        for command in [
            ["users", "list"], ["users", "list", "--all"], ["users", "show", "ada@example.com"],
            ["sessions", "list", "ada@example.com"], ["mail", "list"], ["audit", "tail"],
        ] {
            for form in [[], ["--json"]] {
                let outcome = try await program.run(command + form)
                #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(command)")
                told += outcome.output + outcome.errors
            }
        }
        #expect(told.contains("argon2id") && told.contains("reset-requested"))
        let token = try #require(session.split(separator: "=", maxSplits: 1).last.map(String.init))
        let digest = Data(SHA256.hash(data: Data(token.utf8)))
        let key = try String(contentsOfFile: program.folder + "/data/secret.key", encoding: .utf8)
        let secrets = [
            "$argon2", "m=64", Program.password, token, digest.base64EncodedString(), code,
            digest.map { String(format: "%02x", $0) }.joined(), key.trimmingCharacters(in: .newlines), "flow=",
        ]
        for secret in secrets { #expect(!told.contains(secret), "\(secret)") }
    }
}
