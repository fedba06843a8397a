import Foundation
import Testing

/// Development mode is for one machine.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct DevelopmentModeTests {
    /// An address of this machine that is not loopback; `nil` where there is none.
    private static let ownAddress: String? = Host.current().addresses.first {
        $0.contains(".") && !$0.hasPrefix("127.")
    }

    @Test(arguments: [("VESTIBULE_HOST", "0.0.0.0"), ("VESTIBULE_PUBLIC_URL", "https://door.example")])
    func `it does not start for others by mistake`(name: String, value: String) async throws {
        let outcome = try await Program().run("serve", environment: [name: value])
        #expect(outcome.status == 78 && outcome.isRefusal && outcome.errors.hasPrefix("vestibule: error: \(name) is "))
        #expect(outcome.errors.contains("VESTIBULE_DEV_EXPOSE=on"))
    }

    @Test(.enabled(if: ownAddress != nil, "needs an address besides loopback"))
    func `exposed on purpose it serves others, but not the mails`() async throws {
        let address = try #require(Self.ownAddress)
        let server = try await Server(
            Program(),
            environment: [
                "VESTIBULE_HOST": "0.0.0.0", "VESTIBULE_DEV_EXPOSE": "on",
                "VESTIBULE_PUBLIC_URL": "http://\(address):1",
            ])
        #expect(try await server.send("/login", host: address).status == 200)
        #expect(try await server.send("/dev/mail", host: address).status == 403)
        #expect(try await server.send("/dev/mail").status == 200)
        _ = await server.end(SIGTERM)
    }

    @Test func `mails are shown to this machine under its own names only`() async throws {
        let server = try await Server(
            Program(),
            environment: [
                "VESTIBULE_TRUSTED_PROXIES": "127.0.0.1", "VESTIBULE_PUBLIC_URL": "http://door.test:8080",
            ])
        for (header, status) in [
            ("Host: localhost", 200), ("Host: LOCALHOST:\(server.port)", 200), ("Host: 127.0.0.1:1", 200),
            ("Host: [::1]:8080", 200), ("Host: door.test", 200), ("Host: evil.example", 421),
            ("Host: localhost.evil.example", 421), ("Host: 127.0.0.1.evil.example:80", 421), ("Host: [::1", 400),
            ("X-Forwarded-For: 192.0.2.7", 403), ("X-Forwarded-For: 127.0.0.1", 200), ("X-Forwarded-For: ::1", 200),
        ] {
            #expect(try await server.send("/dev/mail", header: header).status == status, "\(header)")
        }
        _ = await server.end(SIGTERM)
    }

    @Test(arguments: ["Forwarded: for=unknown", "Forwarded: for=_hidden", "Forwarded: x", "Forwarded: for=127.0.0.1"])
    func `mails are shown to nobody of whom two headers tell two things`(header: String) async throws {
        let server = try await Server(Program(), environment: ["VESTIBULE_TRUSTED_PROXIES": "127.0.0.1"])
        let lines = ["X-Forwarded-For: 203.0.113.9", header]
        #expect(try await server.send("/dev/mail", headers: lines).status == 403)
        #expect(
            try await server.send("/dev/mail", headers: [header, "X-Forwarded-For: 127.0.0.1"]).status
                == (header.hasSuffix("127.0.0.1") ? 200 : 403))
        _ = await server.end(SIGTERM)
    }

    @Test func `in production there is no page of mails`() async throws {
        let server = try await Server(
            Program(),
            environment: [
                "VESTIBULE_MODE": "production", "VESTIBULE_PUBLIC_URL": "https://door.example",
                "VESTIBULE_SECRET_KEY": Data(repeating: 7, count: 32).base64EncodedString(),
                "VESTIBULE_MAIL_URL": "smtp://127.0.0.1:1", "VESTIBULE_MAIL_FROM": "a@b.example",
                "VESTIBULE_LOG_FORMAT": "text",
            ])
        #expect(try await server.send("/login", header: "Host: door.example").status == 200)
        for path in ["/dev/mail", "/dev/mail/x.eml", "/dev"] {
            #expect(try await server.send(path, header: "Host: door.example").status == 404, "\(path)")
        }
        _ = await server.end(SIGTERM)
    }

    @Test func `mails are shown through no proxy that is not trusted`() async throws {
        let server = try await Server(Program())
        #expect(try await server.send("/dev/mail").status == 200)
        for header in ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "X-Forwarded-Host: door.test"] {
            #expect(try await server.send("/dev/mail", header: header).status == 403, "\(header)")
        }
        _ = await server.end(SIGTERM)
    }

    @Test(arguments: ["serve", "doctor"])
    func `on the way to production the hint names the key that development has made`(command: String) async throws {
        let production = ["VESTIBULE_MODE": "production"]
        let program = try Program()
        let new = try await program.run(command, environment: production)
        #expect(new.status == 78 && new.errors.contains("hint: Make one with: openssl rand -base64 32\n"))
        try await program.settle()
        let outcome = try await program.run(command, environment: production)
        #expect(
            outcome.status == 78
                && outcome.errors.contains(
                    "hint: Take the one in data/secret.key, which development made here: (umask 077; echo "),
            "\(outcome.errors)")
        #expect(!outcome.errors.contains("openssl"))
    }

    @Test func `with another key than the one of development doctor names that one`() async throws {
        let program = try Program()
        try await program.settle()
        #expect(try await program.run("users", "create", "ada@example.com").status == 0)
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        let found = try await program.run("doctor", environment: ["VESTIBULE_SECRET_KEY": key])
        let said = "put the former key (perhaps the one in data/secret.key) into VESTIBULE_SECRET_KEY_PREVIOUS"
        #expect(found.status == 1 && found.output.contains("FAIL waiting mails: 1 of them"), "\(found.output)")
        #expect(found.output.contains(said), "\(found.output)")
    }
}
