import Foundation
import Testing

@testable import Essentials

/// `vestibule keys …` beside a server on the same file.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct KeysTests {
    private func published(_ server: Server) async throws -> [String] {
        let answer = try await server.send("/.well-known/jwks.json")
        let document = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
        return (document?["keys"] as? [[String: String]] ?? []).compactMap { $0["kid"] }
    }

    @Test func `the first key signs at once, the next one waits a day, and a third is refused`() async throws {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        #expect(try await program.run("keys", "list").output.split(separator: "\n").count == 1)
        let first = try await published(server)
        #expect(first.count == 1)
        let next = try await program.run("keys", "rotate", "--json").objects().first
        #expect(next?["state"] as? String == "waiting")
        let keys = try await program.run("keys", "list", "--json").objects()
        #expect(keys.compactMap { $0["id"] as? String } == first + [next?["id"] as? String ?? ""])
        #expect(keys.compactMap { $0["state"] as? String } == ["signing", "waiting"])
        let refused = try await program.run("keys", "rotate")
        #expect(refused.status == 1 && refused.isRefusal && refused.errors.contains("a new key waits already"))
        let replaced = try await program.run("keys", "rotate", "--compromised")
        let id = replaced.output.firstMatch(of: /^key (\S{43}) signs from [-0-9]+ [:0-9]+ UTC\n$/)?.output.1
        #expect(replaced.errors.contains("Wait a minute, then restart the applications"), "\(replaced.errors)")
        let rest = try await program.run("keys", "list", "--json").objects()
        #expect(rest.compactMap { $0["id"] as? String } == [String(id ?? "")])
        #expect(rest.compactMap { $0["state"] as? String } == ["signing"])
        let audit = try await program.run("audit", "tail", "--json").objects().compactMap { $0["kind"] as? String }
        #expect(audit == ["signing_key_added", "signing_keys_replaced"])
        _ = await server.end(SIGTERM)
        let again = try await Server(program, environment: Program.easy)
        #expect(try await published(again) == [String(id ?? "")])
        _ = await again.end(SIGTERM)
    }

    @Test func `rotating a store without a key makes one that signs at once`() async throws {
        let program = try Program()
        try await program.settle()
        #expect(try await program.run("keys", "rotate", "--json").objects().first?["state"] as? String == "signing")
    }

    @Test func `a key that another secret key has sealed is shown as unreadable`() async throws {
        let program = try Program()
        try await program.settle()
        let keys = (1...2).map { Data(repeating: $0, count: 32).base64EncodedString() }
        let made = try await program.run("keys", "rotate", environment: ["VESTIBULE_SECRET_KEY": keys[0]])
        #expect(made.status == 0)
        func state(_ environment: [String: String]) async throws -> String? {
            try await program.run("keys", "list", "--json", environment: environment).objects().first?["state"]
                as? String
        }
        #expect(try await state(["VESTIBULE_SECRET_KEY": keys[1]]) == "unreadable")
        let both = ["VESTIBULE_SECRET_KEY": keys[1], "VESTIBULE_SECRET_KEY_PREVIOUS": keys[0]]
        #expect(try await state(both) == "signing")
        let refused = try await program.run("keys", "rotate", environment: ["VESTIBULE_SECRET_KEY": keys[1]])
        #expect(refused.status == 1 && refused.isRefusal)
        #expect(
            refused.errors.contains("cannot be opened with the secret key\nhint: Put the former key into"),
            "\(refused.errors)")
        #expect(try await program.run("keys", "rotate", environment: both).status == 0)
    }

    @Test func `a command whose secret key the server does not know is refused`() async throws {
        let program = try Program()
        let keys = (1...2).map { Data(repeating: $0, count: 32).base64EncodedString() }
        let server = try await Server(program, environment: ["VESTIBULE_SECRET_KEY": keys[0]])
        let made = try await program.run(
            "users", "create", "ada@example.com", environment: ["VESTIBULE_SECRET_KEY": keys[0]])
        #expect(made.status == 0, "\(made.errors)")
        // In the middle of a change of the key, before the server is restarted.
        let early = ["VESTIBULE_SECRET_KEY": keys[1], "VESTIBULE_SECRET_KEY_PREVIOUS": keys[0]]
        for command in [
            ["users", "send-reset", "ada@example.com"], ["users", "show", "ada@example.com"],
            ["users", "delete", "--yes", "ada@example.com"], ["keys", "rotate", "--compromised"],
        ] {
            let refused = try await program.run(command, environment: early)
            #expect(refused.status == 78 && refused.isRefusal, "\(command): \(refused.errors)")
            #expect(refused.errors.contains("does not know the secret key of these settings"), "\(refused.errors)")
        }
        _ = await server.end(SIGTERM)
        #expect(try await program.run("users", "show", "ada@example.com", environment: early).status == 0)
    }

    @Test func `while the secret key changes, both keys that sign webhooks are shown`() async throws {
        let program = try Program()
        let keys = (1...2).map { Data(repeating: $0, count: 32).base64EncodedString() }
        func shown(_ environment: [String: String]) async throws -> [String] {
            let outcome = try await program.run("signals", "key", environment: environment)
            return outcome.output.split(separator: "\n").map(String.init)
        }
        let former = try await shown(["VESTIBULE_SECRET_KEY": keys[0]])
        let both = try await shown(["VESTIBULE_SECRET_KEY": keys[1], "VESTIBULE_SECRET_KEY_PREVIOUS": keys[0]])
        #expect(former.count == 1 && both.count == 2 && both.last == former.first && both.first != both.last)
    }
}
