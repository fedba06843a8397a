import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)), .serialized)
struct ServeTests {
    private let signup =
        "display_name=Ada&email=ada%40example.com&password=correct+horse+battery&password_confirmation="
        + "correct+horse+battery&terms=accepted"

    @Test func `it serves a sign-up with no configuration, and SIGTERM ends it with 0`() async throws {
        let program = try Program()
        let server = try await Server(program)
        #expect(try await server.send("/readyz").status == 200)
        let answer = try await server.send("/signup", form: signup)
        #expect(answer.status == 303)
        let code = try await program.code(for: "ada@example.com")
        let flow = answer.cookie("vestibule-flow")
        #expect(try await server.send("/signup/verify", form: "code=\(code)", cookie: flow).status == 303)
        #expect(try await server.send("/dev/mail").body.contains(code))
        #expect(await server.end(SIGTERM) == 0)
        for (file, mode) in [("data", 0o700), ("data/secret.key", 0o600), ("data/vestibule.sqlite", 0o600)] {
            let found = try FileManager.default.attributesOfItem(atPath: "\(program.folder)/\(file)")[.posixPermissions]
            #expect(found as? Int == mode, "\(file)")
        }
    }

    @Test func `files in the working directory are laid over those installed, sentence by sentence`() async throws {
        let program = try Program()
        try program.write(":root { --brand: #a05; }", to: "Public/css/theme.css")
        try program.write("<p>House rules</p>", to: "Templates/terms.mustache")
        try program.write(#"{"login": {"window": "Come in"}}"#, to: "Templates/locales/en.json")
        let server = try await Server(program)
        #expect(try await server.send("/css/theme.css").body == ":root { --brand: #a05; }")
        #expect(try await server.send("/css/vestibule.css").body.count > 1000)
        #expect(try await server.send("/terms").body == "<p>House rules</p>")
        let login = try await server.send("/login").body
        #expect(login.contains("<h1>Come in</h1>") && login.contains("Email address"))
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test func `files of other kinds and hidden ones are not served`() async throws {
        let program = try Program()
        let files = ["notes.bak", "css/theme.css~", ".htaccess", ".git/HEAD", "index.php", "data.sqlite", "js/.x.js"]
        for file in files + ["robots.txt"] { try program.write("x", to: "Public/\(file)") }
        let server = try await Server(program)
        for file in files { #expect(try await server.send("/\(file)").status == 404, "\(file)") }
        #expect(try await server.send("/robots.txt").body == "x")
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test func `kill -9 right after a sign-up loses neither the sign-up nor the mail`() async throws {
        let program = try Program()
        let server = try await Server(program)
        let answer = try await server.send("/signup", form: signup)
        _ = await server.end(SIGKILL)
        let again = try await Server(program)
        let code = try await program.code(for: "ada@example.com")
        let flow = answer.cookie("vestibule-flow")
        let done = try await again.send("/signup/verify", form: "code=\(code)", cookie: flow)
        #expect(done.status == 303)
        #expect(await again.end(SIGTERM) == 0)
    }

    @Test(.enabled(if: ReadOnly.isPossible, ReadOnly.needs))
    func `a database that becomes read-only is a 503 page, and nothing is lost when it can be written again`()
        async throws
    {
        let program = try Program()
        let server = try await Server(program)
        let flow = try await server.send("/signup", form: signup).cookie("vestibule-flow")
        let code = try await program.code(for: "ada@example.com")
        let database = ["", "-wal"].map { "\(program.folder)/data/vestibule.sqlite\($0)" }
        try await ReadOnly.during(database) {
            for form in ["email=ada%40example.com&password=x", "email=bob%40example.com&password=x"] {
                let answer = try await server.send("/login", form: form)
                #expect(answer.status == 503 && answer.body.contains("Something went wrong on our side."))
            }
            let refused = try await server.send("/signup/verify", form: "code=\(code)", cookie: flow)
            #expect(refused.status == 503)
            let ready = try await server.send("/readyz")
            #expect(ready.status == 503 && ready.body == "store\n")
            let page = try await server.send("/signup/verify", cookie: flow)
            #expect(page.status == 200)
        }
        #expect(try await server.send("/readyz").status == 200)
        #expect(try await server.send("/signup/verify", form: "code=\(code)", cookie: flow).status == 303)
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test(.enabled(if: ReadOnly.isPossible, ReadOnly.needs))
    func `a folder that becomes read-only delays mails, and nothing is lost`() async throws {
        let program = try Program()
        let server = try await Server(program)
        try await ReadOnly.during(["\(program.folder)/data"]) {
            let answer = try await server.send("/signup", form: signup)
            #expect(answer.status == 303)
            let ready = try await server.send("/readyz")
            #expect(ready.status == 200)
        }
        _ = try await program.code(for: "ada@example.com")
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test(.enabled(if: ReadOnly.isPossible, ReadOnly.needs))
    func `a read-only database is not opened`() async throws {
        let program = try Program()
        _ = try await program.run("migrate")
        try await ReadOnly.during(["\(program.folder)/data/vestibule.sqlite"]) {
            let outcome = try await program.run("migrate")
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("vestibule.sqlite cannot be written") && outcome.errors.contains("hint: "))
        }
    }

    @Test func `SIGTERM lets a login under way finish`() async throws {
        let program = try Program()
        let settings = [
            "VESTIBULE_ARGON2_MEMORY_KIB": "19456", "VESTIBULE_ARGON2_ITERATIONS": "8",
            "VESTIBULE_LIMIT_LOGIN": "1/h/ip",
        ]
        let server = try await Server(program, environment: settings)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { logins in
            for _ in 0..<2 {
                logins.addTask { try await server.send("/login", form: "email=ada%40example.com&password=x").status }
            }
            // One of the two is refused at once; the other is then under way, and its eight passes
            // take a while.
            let refused = try await logins.next()
            #expect(await server.end(SIGTERM) == 0)
            return [refused, try await logins.next()]
        }
        #expect(statuses == [429, 422])
    }

    @Test func `a form that is half sent when the server stops is no fault in the log`() async throws {
        let program = try Program()
        let (process, _, errors) = program.prepare(["serve", "--port", "0"], [:])
        try process.runAlone()
        let half = """
            import os, signal, socket, sys
            def ask(text):
                s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
                s.sendall(text.encode())
                return s
            head = ' HTTP/1.1\\r\\nHost: localhost\\r\\n'
            form = ask('POST /login' + head + 'Content-Type: application/x-www-form-urlencoded\\r\\n'
                       'Content-Length: 100\\r\\n\\r\\nemail=')
            for _ in range(20): ask('GET /account' + head + 'Connection: close\\r\\n\\r\\n').recv(1)
            os.kill(int(sys.argv[2]), signal.SIGTERM)
            while form.recv(4096): pass
            """
        var rest: [String] = []
        for await line in Server.lines(of: errors) {
            rest.append(line)
            guard let port = line.firstMatch(of: /listening on [^ ]*:(\d+)/)?.output.1 else { continue }
            let arguments = ["-c", half, String(port), "\(process.processIdentifier)"]
            let sent = try await program.run(arguments, of: "/usr/bin/python3")
            #expect(sent.status == 0, "\(sent.errors)")
        }
        #expect(rest.count > 1 && !rest.contains { $0.contains("CancellationError") }, "\(rest)")
    }

    @Test func `a line of the JSON log has its moment, level and event`() async throws {
        let program = try Program()
        let (process, _, errors) = program.prepare(["serve", "--port", "0"], ["VESTIBULE_LOG_FORMAT": "json"])
        try process.runAlone()
        defer { process.terminate() }
        let line = await Server.lines(of: errors).first { _ in true } ?? ""
        let said = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        #expect(said["datetime"]?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        #expect(said["event"] == "sys_startup" && said["level"] == "notice")
    }

    @Test func `in a line of text what a stranger sends stays one field`() async throws {
        let program = try Program()
        let (process, _, errors) = program.prepare(
            ["serve", "--port", "0"], ["VESTIBULE_LOG_FORMAT": "text", "VESTIBULE_TRUSTED_PROXIES": "127.0.0.1"])
        try process.runAlone()
        defer { process.terminate() }
        let header = #"X-Forwarded-For: a event=session_logout b="c\d""#
        for await line in Server.lines(of: errors) {
            if let port = line.firstMatch(of: /listening on [^ ]*:(\d+)/)?.output.1 {
                let arguments = ["--silent", "--header", header, "http://127.0.0.1:\(port)/account"]
                _ = try await program.run(arguments, of: "/usr/bin/curl")
            }
            guard line.contains("event=client_unknown") else { continue }
            #expect(line.contains(#"told="x-forwarded-for: a event=session_logout b=\"c\\d\"""#), "\(line)")
            break
        }
    }

    @Test func `the start logs which code hashes`() async throws {
        let (process, _, errors) = try Program().prepare(["serve", "--port", "0"], [:])
        try process.runAlone()
        defer { process.terminate() }
        let line = await Server.lines(of: errors).first { $0.contains("argon2_kernel") }
        #expect(line?.contains(Argon2Kernel.runningHere.first?.name ?? "libargon2") == true, "\(line ?? "")")
    }

    /// Where this process may leave none itself, nothing that it starts could.
    private static let leavesDumps = ConditionTrait.enabled("core dumps are forbidden here") {
        let limits = try String(contentsOfFile: "/proc/self/limits", encoding: .utf8)
        return !limits.contains(#/Max core file size +\S+ +0 +/#)
    }

    @Test(leavesDumps) func `in production the process leaves no core dump`() async throws {
        let program = try Program()
        let (process, _, errors) = program.prepare(
            ["serve", "--port", "0"],
            [
                "VESTIBULE_MODE": "production", "VESTIBULE_PUBLIC_URL": "https://a.example",
                "VESTIBULE_SECRET_KEY": Data(repeating: 7, count: 32).base64EncodedString(),
                "VESTIBULE_MAIL_URL": "smtp://127.0.0.1:1", "VESTIBULE_MAIL_FROM": "a@b.example",
            ])
        try process.runAlone()
        defer { process.terminate() }
        #expect(await Server.lines(of: errors).first { $0.contains("sys_startup") } != nil)
        let limits = try String(contentsOfFile: "/proc/\(process.processIdentifier)/limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +0 +0 +/#))
    }

    /// As Linux knows it; nil as long as there is none.
    private static func portListened(by process: Int32) throws -> Int? {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let open = Set(
            names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") })
        // Reading it whole by its path stops after the first page, as its size is said to be 0.
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd() ?? Data()
        let lines = String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst()
        let sockets = lines.map { $0.split(separator: " ") }
        // Fields: number, own address, other address, state (0A listens); the tenth is the inode.
        let own = sockets.first { $0.count > 9 && $0[3] == "0A" && open.contains("socket:[\($0[9])]") }
        return own.flatMap { Int($0[1].suffix(4), radix: 16) }
    }

    @Test func `a log that cannot be written does not end the server`() async throws {
        let program = try Program()
        let (process, _, _) = program.prepare(["serve", "--port", "0"], ["VESTIBULE_LOG_FORMAT": "json"])
        process.standardError = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        try process.runAlone()
        defer { process.terminate() }
        var port: Int?
        while port == nil, process.isRunning {
            // It cannot say which port it has; the suite's limit of time ends the wait.
            try await Task.sleep(for: .milliseconds(20))
            port = try Self.portListened(by: process.processIdentifier)
        }
        let found = try #require(port)
        let answer = try await program.run(
            ["--silent", "--max-time", "100", "http://127.0.0.1:\(found)/healthz"], of: "/usr/bin/curl")
        #expect(answer.output == "ok\n")
    }

    @Test func `a port in use is one line of error, one of hint and exit 1, and nothing was begun`() async throws {
        let server = try await Server(Program())
        let other = try Program()
        let outcome = try await other.run("serve", "--port", "\(server.port)")
        #expect(outcome.status == 1 && outcome.isRefusal)
        #expect(outcome.errors.contains("127.0.0.1:\(server.port) is taken"))
        #expect(outcome.errors.contains("VESTIBULE_PORT"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.folder).isEmpty)
        _ = await server.end(SIGTERM)
    }

    private static let keepsLowPorts =
        (try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding: .utf8)) == "1024\n"

    @Test(.enabled(if: keepsLowPorts, "low ports are everybody's here"))
    func `the hint for a low port names the flag and the setting`() async throws {
        let outcome = try await Program().runHeldBack("serve", "--port", "81")
        #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("127.0.0.1:81 needs more rights\n"))
        #expect(outcome.errors.contains("hint: Choose a port of 1024 or above (VESTIBULE_PORT or --port), "))
    }

    @Test(arguments: [("192.0.2.1", "is no address of this machine"), ("nowhere.invalid", "is no address")])
    func `an address that cannot be listened on is one line of error and one of hint`(host: String, reason: String)
        async throws
    {
        let outcome = try await Program().run(
            "serve", "--host", host, "--port", "0",
            environment: [
                "VESTIBULE_MODE": "production", "VESTIBULE_PUBLIC_URL": "https://a.example",
                "VESTIBULE_SECRET_KEY": Data(repeating: 7, count: 32).base64EncodedString(),
                "VESTIBULE_MAIL_URL": "smtp://127.0.0.1:1", "VESTIBULE_MAIL_FROM": "a@b.example",
            ])
        #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("\(host):0 \(reason)"))
    }
}
