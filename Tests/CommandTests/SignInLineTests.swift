import Foundation
import Testing

/// `vestibule users show` beside a server: what it says of signing in is what login does.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct SignInLineTests {
    private static let limited = Program.easy.merging(["VESTIBULE_LIMIT_LOGIN": "3/h/address"]) { $1 }
    private let program: Program

    init() throws {
        program = try Program()
    }

    private func line() async throws -> String {
        let shown = try await program.run("users", "show", "ada@example.com", environment: Self.limited).output
        return String(try #require(shown.firstMatch(of: /\nsign-in {3}(.*)\n/)).output.1)
    }

    private func logIn(_ server: Server, device: String? = nil) async throws -> Server.Answer {
        let form = "email=ada%40example.com&password=" + Program.password.replacing(" ", with: "+")
        return try await server.send("/login", form: form, cookie: device)
    }

    @Test func `it names each cause for which the right password is refused`() async throws {
        let server = try await Server(program, environment: Self.limited)
        _ = try await program.signUp("ada@example.com", at: server)
        let entered = try await logIn(server)
        #expect(entered.status == 303)
        let device = entered.cookie("vestibule-device")
        #expect(try await line() == "works")

        try await program.change("UPDATE accounts SET verified_at = NULL")
        #expect(try await logIn(server).status == 422)
        let unverified = "refused: the mailbox is not verified; \"Forgot password?\" or `users verify` does that"
        #expect(try await line() == "\(unverified); failures in a row: 1")
        #expect(try await program.run("users", "verify", "ada@example.com").status == 0)

        try await program.change("UPDATE accounts SET disabled_at = 1")
        #expect(try await logIn(server).status == 422)
        #expect(try await line() == "refused: the account is disabled; failures in a row: 2")
        #expect(try await program.run("users", "enable", "ada@example.com").status == 0)

        let known = "works only in known browsers"
        try await program.change("UPDATE login_failures SET count = 99")
        #expect(try await line() == "works; failures in a row: 99")
        try await program.change("UPDATE login_failures SET count = 100")
        #expect(try await line() == "\(known), until a reset; failures in a row: 100")
        #expect(try await logIn(server).status == 422)
        #expect(try await logIn(server, device: device).status == 303)

        #expect(try await logIn(server).status == 429)
        #expect(
            try await line().wholeMatch(of: /(.*), until 20[-0-9: ]{17} UTC \(VESTIBULE_LIMIT_LOGIN\)/)?.1 == known[...]
        )
        let json = try await program.run("users", "show", "ada@example.com", "--json", environment: Self.limited)
        let signIn = try json.objects().first?["sign_in"] as? [String: Any]
        #expect(signIn?["limited_until"] is String && signIn?["failures_in_a_row"] as? Int == 0)
        #expect(try await logIn(server, device: device).status == 303)
        _ = await server.end(SIGTERM)
    }

    @Test func `an account that was invited has no password, and one without a secret key no failures`() async throws {
        try await program.populate(["ada@example.com"])
        #expect(try await line().hasSuffix("; failed attempts cannot be counted without the secret key"))
        try await program.settle()
        try await program.change("UPDATE accounts SET verified_at = 1")
        #expect(try await line() == "no password: \"Forgot password?\" sets one")
    }
}
