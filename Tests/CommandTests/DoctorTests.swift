import Crypto
import Foundation
import TestSupport
import Testing

@testable import Essentials

/// What `doctor` says of the folder it is run in.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct DoctorTests {
    @Test func `it says of which mode and folder it speaks, and makes nothing there`() async throws {
        let program = try Program()
        let folder = URL(filePath: program.folder).resolvingSymlinksInPath().path
        let empty = try await program.run("doctor")
        #expect(empty.status == 0)
        #expect(empty.output.hasPrefix("ok   settings (development, \(folder), no .env)\n"), "\(empty.output)")
        #expect(empty.output.contains("warn settings: neither .env nor a database is in this folder"))
        #expect(empty.output.contains("ok   mail transport (no folder yet)\n"))
        let elsewhere = try await program.run("upgrade-check")
        #expect(elsewhere.status == 1)
        #expect(
            elsewhere.output.contains("FAIL settings: neither .env nor a database is in this folder"),
            "\(elsewhere.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder).isEmpty)
        try program.write("VESTIBULE_BRAND_NAME=Fir\n", to: ".env")
        for command in ["doctor", "upgrade-check"] {
            let output = try await program.run(command).output
            #expect(output.hasPrefix("ok   settings (development, \(folder), .env)\n"), "\(output)")
            #expect(!output.contains("warn settings"))
        }
        let blocked = try await program.run("doctor", environment: ["VESTIBULE_MAIL_URL": "outbox:/dev/null/mail"])
        #expect(blocked.status == 1 && blocked.output.contains("FAIL mail transport: "), "\(blocked.output)")
    }

    @Test func `an address of another machine is a failure, and one that the server listens on is none`() async throws {
        let program = try Program()
        let exposed = ["VESTIBULE_DEV_EXPOSE": "on"]
        let ill = try await program.run("doctor", "--host", "192.0.2.1", environment: exposed)
        let line =
            "FAIL address: 192.0.2.1:8080 is no address of this machine. Set VESTIBULE_HOST or --host to one of its own.\n"
        #expect(ill.status == 1 && ill.output.contains(line), "\(ill.output)")
        let server = try await Server(program)
        for host in ["0.0.0.0", "localhost", "127.0.0.1"] {
            let well = try await program.run(
                "doctor", "--host", host, "--port", "\(server.port)", environment: exposed)
            #expect(well.status == 0 && well.output.contains("ok   address\n"), "\(well.output)")
        }
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test func `beside a database it warns of no missing settings`() async throws {
        let program = try Program()
        #expect(try await program.run("migrate").status == 0)
        #expect(try await !program.run("doctor").output.contains("warn settings"))
    }

    private static let giving = ConditionTrait.enabled(if: geteuid() == 0, "only root gives files away")

    /// A folder of the server's user, in which root has made what the settings name.
    private func madeByRoot() async throws -> (program: Program, environment: [String: String]) {
        let program = try Program()
        try await program.settle()
        for folder in ["Public/css", "Templates"] { try program.write("", to: "\(folder)/own") }
        for path in ["Public/css", "Templates"] { try program.chmod(0o700, path) }
        try program.write("VESTIBULE_BRAND_NAME=Fir\n", to: ".env")
        try program.write("whsec_\(Data(repeating: 7, count: 32).base64EncodedString())\n", to: "portal.secret")
        for path in [".env", "portal.secret", "Templates/own"] { try program.chmod(0o600, path) }
        try program.give(".")
        return (
            program,
            [
                "VESTIBULE_WEBHOOK_PORTAL_URL": "https://portal.example.com/hook",
                "VESTIBULE_WEBHOOK_PORTAL_SECRET_FILE": "portal.secret",
            ]
        )
    }

    @Test(giving)
    func `root is told of all that the owner of the folder cannot open`() async throws {
        let (program, environment) = try await madeByRoot()
        let found = try await program.run("doctor", environment: environment)
        let files = [
            ".env", "Public/css", "Templates", "Templates/own", "data", "data/secret.key", "data/vestibule.sqlite",
            "portal.secret",
        ]
        let line =
            "FAIL file owners: the server's user, taken to be 4242, who owns this folder, needs more rights; run: "
        let command = "chown --reference=. \(files.joined(separator: " "))\n"
        #expect(found.status == 1 && found.output.contains(line + command), "\(found.output)")
        for file in files { try program.give(file) }
        let mended = try await program.run("doctor", environment: environment)
        #expect(mended.status == 0 && mended.output.contains("ok   file owners\n"), "\(mended.output)")
    }

    @Test(arguments: ["-wal", "-shm"])
    func `the hint names -wal and -shm when the server cannot open them`(end: String) async throws {
        let program = try Program()
        try await program.settle()
        try program.write("", to: "data/vestibule.sqlite\(end)")
        try program.chmod(0, "data/vestibule.sqlite\(end)")
        let refused = try await program.runHeldBack("serve")
        #expect(refused.isRefusal && refused.errors.contains("who owns and may write the file, its -wal and -shm, "))
        #expect(refused.errors.contains("ReadWritePaths="))
    }

    @Test(giving)
    func `a folder above a secret that the server's user cannot enter is named`() async throws {
        let (program, elsewhere) = (try Program(), try Program())
        try program.give(".")
        try elsewhere.write("whsec_\(Data(repeating: 7, count: 32).base64EncodedString())\n", to: "portal.secret")
        try elsewhere.chmod(0o700, ".")
        let found = try await program.run(
            "doctor",
            environment: [
                "VESTIBULE_WEBHOOK_PORTAL_URL": "https://portal.example.com/hook",
                "VESTIBULE_WEBHOOK_PORTAL_SECRET_FILE": elsewhere.folder + "/portal.secret",
            ])
        #expect(found.output.contains("needs more rights; run: chmod a+x \(elsewhere.folder)\n"), "\(found.output)")
        try program.give(".", to: 0)
        #expect(try await !program.run("doctor").output.contains("file owners"))
    }

    @Test func `what no key opens is a failure: factors, and keys that sign`() async throws {
        let program = try Program()
        try await program.settle()
        let keys = (1...2).map { Data(repeating: $0, count: 32).base64EncodedString() }
        let former = ["VESTIBULE_SECRET_KEY": keys[0]]
        #expect(try await program.run("keys", "rotate", environment: former).status == 0)
        let well = try await program.run("doctor", environment: former).output
        #expect(!well.contains("signing keys") && !well.contains("sealed factors"), "\(well)")
        let ill = try await program.run("doctor", environment: ["VESTIBULE_SECRET_KEY": keys[1]])
        #expect(ill.status == 1)
        #expect(
            ill.output.contains(
                "FAIL sealed signing keys: 1 of the keys that sign for applications cannot be opened with the secret key: "
            ),
            "\(ill.output)")
        let both = ["VESTIBULE_SECRET_KEY": keys[1], "VESTIBULE_SECRET_KEY_PREVIOUS": keys[0]]
        let waiting = try await program.run("doctor", environment: both)
        let warning =
            "warn sealed signing keys: 1 of the keys that sign for applications is sealed with the previous key: "
        #expect(waiting.status == 0 && waiting.output.contains(warning), "\(waiting.output)")
        try await program.populate(["ada@example.com"])
        // They look as if sealed with a key that nobody has.
        try await program.addFactors(to: "ada@example.com")
        for environment in [former, both] {
            let lost = try await program.run("doctor", environment: environment)
            let line =
                "FAIL sealed factors: 2 of the authenticator apps and recovery codes cannot be opened with the secret key: "
            #expect(lost.status == 1 && lost.output.contains(line), "\(lost.output)")
            #expect(lost.output.contains("VESTIBULE_SECRET_KEY_PREVIOUS"))
        }
    }

    @Test func `for a restored database without its key none is made`() async throws {
        let program = try Program()
        try await program.settle()
        #expect(try await program.run("keys", "rotate").status == 0)
        let (key, aside) = (program.folder + "/data/secret.key", program.folder + "/aside")
        try FileManager.default.moveItem(atPath: key, toPath: aside)
        let sentence = "there is no data/secret.key, and the database holds what the former one has sealed"
        let found = try await program.run("doctor")
        #expect(found.status == 1 && found.output.contains("FAIL secret key: \(sentence). "), "\(found.output)")
        let refused = try await program.run("serve")
        #expect(refused.status == 78 && refused.isRefusal && refused.errors.contains(sentence), "\(refused.errors)")
        for command in [["keys", "rotate"], ["users", "create", "ada@example.com"]] {
            let outcome = try await program.run(command)
            #expect(outcome.status == 78 && outcome.isRefusal && outcome.errors.contains(sentence), "\(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: key))
        try FileManager.default.moveItem(atPath: aside, toPath: key)
        try await program.settle()
        #expect(try await program.run("doctor").status == 0)
    }

    @Test func `a database that cannot be looked into is not said to need no key`() async throws {
        let program = try Program()
        try program.write("no database", to: "data/vestibule.sqlite")
        let told = try await program.run("doctor").output
        #expect(told.contains("warn secret key: not checked whether the database needs an earlier key: "), "\(told)")
        #expect(!told.contains("serve makes it"))
    }

    @Test func `each provider has a line that says what is wrong at its issuer`() async throws {
        let (standIn, program) = (try await ProviderStandIn.start(), try Program())
        let base = standIn.base
        func doctor(_ issuer: String) async throws -> Program.Outcome {
            let environment = standIn.example.merging(["VESTIBULE_OIDC_EXAMPLE_ISSUER": issuer]) { $1 }
            return try await program.run("doctor", environment: environment)
        }
        let well = try await doctor(base)
        #expect(well.status == 0 && well.output.contains("ok   provider example (\(base))\n"), "\(well.output)")
        for (issuer, problem) in [
            (base + "/", "discovery names another issuer: \(base), not \(base)/"),
            (base + "/.well-known/openid-configuration", "discovery answered 404"),
            ("http://127.0.0.1:9", ""),
        ] {
            let ill = try await doctor(issuer)
            let line = "FAIL provider example (\(issuer)): \(problem)"
            #expect(ill.status == 1 && ill.output.contains(line), "\(ill.output)")
        }
        try await standIn.tell(["keys": "down"])
        let ill = try await doctor(base).output
        #expect(ill.contains("FAIL provider example (\(base)): the keys answered 503\n"), "\(ill)")
    }

    @Test func `a certificate that is not believed is told in one sentence, of mail server and provider`() async throws
    {
        let server = try await SMTPTestServer("--tls", "implicit")
        let told = try await Program().run(
            "doctor",
            environment: [
                "VESTIBULE_MAIL_URL": "smtps://localhost:\(server.port)",
                "VESTIBULE_OIDC_EXAMPLE_ISSUER": "https://localhost:\(server.port)",
                "VESTIBULE_OIDC_EXAMPLE_CLIENT_ID": "web", "VESTIBULE_OIDC_EXAMPLE_CLIENT_SECRET": "hush",
            ]
        ).output
        let sentence = "its certificate has expired, is of an authority not known here, or for another name"
        #expect(told.contains("FAIL mail transport: cannot talk to the mail server: \(sentence): put "), "\(told)")
        #expect(told.contains("FAIL provider example (https://localhost:\(server.port)): \(sentence)\n"), "\(told)")
        _ = try await server.stop()
    }

    @Test func `a previous key that is the current one is a warning`() async throws {
        let key = Data(repeating: 1, count: 32).base64EncodedString()
        let told = try await Program().run(
            "doctor", environment: ["VESTIBULE_SECRET_KEY": key, "VESTIBULE_SECRET_KEY_PREVIOUS": key]
        ).output
        #expect(told.contains("warn secret key: VESTIBULE_SECRET_KEY_PREVIOUS has the same key: "), "\(told)")
    }

    @Test func `a server that works with another secret key is named`() async throws {
        let program = try Program()
        let keys = (1...2).map { ["VESTIBULE_SECRET_KEY": Data(repeating: $0, count: 32).base64EncodedString()] }
        let server = try await Server(program, environment: keys[0])
        while try await program.run("nodes").output.split(separator: "\n").count < 2 {}
        let sentence = "works with a secret key that these settings do not know"
        #expect(try await !program.run("doctor", environment: keys[0]).output.contains(sentence))
        let told = try await program.run("doctor", environment: keys[1]).output
        #expect(told.contains("warn nodes: ") && told.contains(sentence), "\(told)")
        _ = await server.end(SIGTERM)
    }

    @Test func `signals that have waited for a quarter of an hour are a warning`() async throws {
        let program = try Program()
        #expect(try await program.run("migrate").status == 0)
        let before = { Int(Date().timeIntervalSince1970 - $0) * 1000 }
        let columns = "signals (id, target, event, account_id, created_at)"
        let portal = "'webhook:portal', 'session.ended'"
        let webhook = ["VESTIBULE_WEBHOOK_PORTAL_URL": "http://127.0.0.1:1/"]
        try await program.change("INSERT INTO \(columns) VALUES ('a', \(portal), 'x', \(before(600)))")
        #expect(try await !program.run("doctor", environment: webhook).output.contains("warn signals"))
        try await program.change("INSERT INTO \(columns) VALUES ('b', \(portal), 'y', \(before(1200)))")
        let told = try await program.run("doctor", environment: webhook).output
        #expect(told.contains("warn signals: webhook:portal: 2 signals wait, the oldest since "), "\(told)")
        let gone = try await program.run("doctor").output
        #expect(
            gone.contains("warn signals: webhook:portal is not in the settings; signals that wait: 2, given up: 0. "),
            "\(gone)")
    }

    @Test func `the secret of a webhook that others can read is a failure`() async throws {
        let program = try Program()
        try program.write("whsec_\(Data(repeating: 7, count: 32).base64EncodedString())\n", to: "portal.secret")
        let webhook = [
            "VESTIBULE_WEBHOOK_PORTAL_URL": "https://portal.example.com/hook",
            "VESTIBULE_WEBHOOK_PORTAL_SECRET_FILE": "portal.secret",
        ]
        try program.chmod(0o600, "portal.secret")
        #expect(try await program.run("doctor", environment: webhook).output.contains("ok   file modes\n"))
        try program.chmod(0o644, "portal.secret")
        let told = try await program.run("doctor", environment: webhook)
        let line = "FAIL file modes: others can read portal.secret"
        #expect(told.status == 1 && told.output.contains(line), "\(told.output)")
    }

    @Test func `the key for Apple that others can read is a failure`() async throws {
        let program = try Program()
        try program.write(P256.Signing.PrivateKey().pemRepresentation, to: "apple.p8")
        let apple = [
            "VESTIBULE_APPLE_CLIENT_ID": "com.example.web", "VESTIBULE_APPLE_TEAM_ID": "ABCDE12345",
            "VESTIBULE_APPLE_KEY_ID": "FGHIJ67890", "VESTIBULE_APPLE_PRIVATE_KEY_FILE": "apple.p8",
            "VESTIBULE_APPLE_BASE_URL": "http://127.0.0.1:1",
        ]
        try program.chmod(0o600, "apple.p8")
        #expect(try await program.run("doctor", environment: apple).output.contains("ok   file modes\n"))
        try program.chmod(0o644, "apple.p8")
        let told = try await program.run("doctor", environment: apple).output
        #expect(told.contains("FAIL file modes: others can read apple.p8: chmod 600\n"), "\(told)")
    }

    @Test(arguments: ["doctor", "upgrade-check"])
    func `the verdict comes last, through a pipe too`(command: String) async throws {
        let program = try Program()
        try program.write("{", to: "Templates/locales/fr.json")
        let script = "\"$0\" \(command) 2>&1 | cat"
        let told = try await program.run(["-c", script, BuiltProgram.executable.path], of: "/bin/sh").output
        let lines = told.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("ok   settings") == true && lines.last?.hasPrefix("hint: ") == true, "\(told)")
    }

    /// Mounts one of its own that nobody else sees, and fills it.
    private static let small = """
        set -eu
        mount -t tmpfs -o size=1500k tmpfs data
        "$0" migrate
        dd if=/dev/zero of=data/filling bs=1k count=$1 2> /dev/null || true
        for command in migrate "users list" doctor; do "$0" $command || true; done
        """

    private static let mounts = access("/usr/bin/unshare", X_OK) == 0 && geteuid() == 0

    @Test(.enabled(if: mounts, "only root mounts a small disk"), arguments: ["980", "1500"])
    func `a full disk is said to be one`(kibibytes: String) async throws {
        let program = try Program()
        try FileManager.default.createDirectory(atPath: program.folder + "/data", withIntermediateDirectories: true)
        let script = ["--mount", "sh", "-c", Self.small, BuiltProgram.executable.path, kibibytes]
        let told = try await program.run(
            script, of: "/usr/bin/unshare", environment: ["VESTIBULE_MAIL_URL": "outbox:mail"])
        let sentence = "the database cannot be opened: data/vestibule.sqlite: the disk is full"
        let hint = "hint: Make room on the disk of the database, or on that of temporary files."
        let lines = told.errors.split(separator: "\n").map(String.init)
        #expect(lines.count { $0.hasSuffix(sentence) } == 2 && lines.count { $0 == hint } == 2, "\(told.errors)")
        #expect(told.output.contains("FAIL store: \(sentence). Make room"), "\(told.output)")
    }
}
