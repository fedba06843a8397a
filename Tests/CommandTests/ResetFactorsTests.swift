import Foundation
import Testing

@testable import Essentials

/// `vestibule users reset-factors`, and what other commands say of factors.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ResetFactorsTests {
    private static let email = "ada@example.com"

    private func program(factors: Bool = true) async throws -> Program {
        let program = try Program()
        try await program.settle()
        try await program.populate([Self.email])
        if factors { try await program.addFactors(to: Self.email) }
        return program
    }

    @Test func `it mails the owner, waits a day, and shows`() async throws {
        let program = try await program()
        let shown = try await program.run("users", "show", Self.email)
        #expect(shown.output.contains("factors   passkeys 1, app yes, codes 8\n"))
        let asked = try await program.run("users", "reset-factors", "Ada@Example.com")
        #expect(asked.status == 0 && asked.errors.isEmpty)
        let line = #/^ada@example\.com is being mailed; once that mail is sent, its second factors go at (.+)\n$/#
        let due = try #require(asked.output.firstMatch(of: line)?.output.1)
        let after = try await program.run("users", "show", Self.email)
        let waits = "removed at \(due), once the mail about it is sent\n"
        #expect(after.output.contains("factors   passkeys 1, app yes, codes 8; \(waits)"))
        let json = try await program.run("users", "show", Self.email, "--json").objects().first
        let factors = try #require(json?["factors"] as? [String: Any])
        #expect(factors["passkeys"] as? Int == 1 && factors["authenticator_app"] as? Bool == true)
        #expect(factors["recovery_codes"] as? Int == 8 && factors["removed_at"] is String)
        let server = try await Server(program, environment: Program.easy)
        while !program.mails(to: Self.email).contains(where: { $0.contains("will be removed soon") }) {
            // The server sends it and can tell nobody; the suite's time limit ends the wait.
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(await server.end(SIGTERM) == 0)
        let sent = try await program.run("users", "show", Self.email)
        #expect(sent.output.contains("factors   passkeys 1, app yes, codes 8; removed at \(due)\n"))
        let audit = try await program.run("audit", "tail", "--json").objects().compactMap { $0["kind"] as? String }
        #expect(audit.contains("factor_removal_asked") && !audit.contains("factors_removed"))
    }

    @Test func `with --now they go at once`() async throws {
        let program = try await program()
        let done = try await program.run("users", "reset-factors", Self.email, "--now")
        #expect(done.status == 0 && done.output == "ada@example.com has no second factor any more\n")
        let shown = try await program.run("users", "show", Self.email)
        #expect(shown.output.contains("factors   passkeys 0, app no, codes 0\n"))
        #expect(shown.output.contains("factors_removed"))
        for arguments in [["--now"], []] {
            let again = try await program.run(["users", "reset-factors", Self.email] + arguments)
            #expect(again.status == 1 && again.isRefusal)
            #expect(again.errors.contains("has no second factor"))
        }
    }

    @Test func `an account without factors, and one that is unknown, are refused`() async throws {
        let program = try await program(factors: false)
        let none = try await program.run("users", "reset-factors", Self.email)
        #expect(none.status == 1 && none.isRefusal)
        let unknown = try await program.run("users", "reset-factors", "nobody@example.com")
        #expect(unknown.status == 1 && unknown.isRefusal && unknown.errors.contains("there is no account"))
        #expect(try await program.run("users", "reset-factors").status == 64)
    }

    @Test func `doctor tells of factors that nobody is asked for, and of passkeys that no browser takes`() async throws
    {
        let program = try await program()
        let off = ["VESTIBULE_SECOND_FACTOR": "off"]
        let told = "warn second factors: 1 account has one, and none is asked for: VESTIBULE_SECOND_FACTOR is off\n"
        #expect(try await program.run("doctor", environment: off).output.contains(told))
        let usual = try await program.run("doctor").output
        #expect(!usual.contains("second factors") && !usual.contains("warn passkeys"))
        for host in ["127.0.0.1", "[::1]"] {
            let address = ["VESTIBULE_PUBLIC_URL": "http://\(host):8080"]
            let output = try await program.run("doctor", environment: address).output
            #expect(output.contains("warn passkeys: no browser takes one for \(host), an IP address"))
            let without = address.merging(["VESTIBULE_PASSKEYS": "off"]) { $1 }
            #expect(try await !program.run("doctor", environment: without).output.contains("warn passkeys"))
        }
        let none = ["VESTIBULE_PASSKEYS": "off"]
        #expect(try await !program.run("doctor", environment: none).output.contains("second factors"))
        try await program.change("DELETE FROM factor_keys WHERE kind = 'totp'")
        let only = "warn second factors: 1 account has only passkeys, and none is asked for: VESTIBULE_"
        #expect(try await program.run("doctor", environment: none).output.contains("\(only)PASSKEYS is off\n"))
        let byAddress = try await program.run("doctor", environment: ["VESTIBULE_PUBLIC_URL": "http://127.0.0.1:8080"])
        #expect(byAddress.output.contains("\(only)PUBLIC_URL is an IP address\n"))
        #expect(try await !program.run("doctor").output.contains("second factors"))
        _ = try await program.run("users", "reset-factors", Self.email, "--now")
        #expect(try await !program.run("doctor", environment: off).output.contains("second factors"))
    }
}
