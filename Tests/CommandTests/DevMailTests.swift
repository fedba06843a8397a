import Foundation
import Testing

/// `/dev/mail` and the way to it.
@Suite(.timeLimit(.minutes(15)))
struct DevMailTests {
    private let form =
        "display_name=Ada&email=ada%40example.com&password=correct+horse+battery&password_confirmation="
        + "correct+horse+battery&terms=accepted"

    @Test func `a mail is shown in a frame of its own that may load nothing and run nothing`() async throws {
        let program = try Program()
        let server = try await Server(program)
        _ = try await program.signUp("ada@example.com", at: server)
        let list = try await server.send("/dev/mail")
        let source = try #require(list.body.firstMatch(of: /<iframe class="mail" src="([^"]+)"/)?.output.1)
        #expect(policies(list) == 1 && list.head.contains("; frame-src 'self'"))
        #expect(list.head.contains("frame-ancestors 'none'"))
        let mail = try await server.send(String(source))
        #expect(mail.status == 200 && mail.body.contains("<base target=\"_blank\">"))
        #expect(try await mail.body.contains(program.code(for: "ada@example.com")))
        #expect(policies(mail) == 1 && mail.head.contains("default-src 'none'; style-src 'unsafe-inline'; "))
        #expect(mail.head.contains("frame-ancestors 'self'; sandbox allow-popups"))
        #expect(!mail.head.contains("script-src") && !mail.head.contains("img-src"))
        #expect(mail.head.lowercased().contains("cache-control: no-store"))
        for path in ["/login", "/dev/mail/nothing.eml", "/dev/mail/..%2F..%2Fsecret.key"] {
            let other = try await server.send(path)
            #expect(!other.head.contains("frame-src") && other.head.contains("frame-ancestors 'none'"), "\(path)")
            #expect(other.status == (path == "/login" ? 200 : 404))
        }
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test(arguments: [("outbox:data/mail", true), ("smtp://127.0.0.1:1", false)])
    func `the code page links it where mails go to a folder`(mail: String, isLinked: Bool) async throws {
        let program = try Program()
        let server = try await Server(program, environment: ["VESTIBULE_MAIL_URL": mail])
        for (path, form) in [("/signup", form), ("/reset", "email=bob%40example.com")] {
            let flow = try await server.send(path, form: form).cookie("vestibule-flow")
            let page = try await server.send("\(path)/verify", cookie: flow)
            #expect(page.status == 200 && page.body.contains("href=\"/dev/mail\"") == isLinked, "\(path)")
        }
        #expect(await server.end(SIGTERM) == 0)
    }

    private func policies(_ answer: Server.Answer) -> Int {
        answer.head.lowercased().components(separatedBy: "content-security-policy:").count - 1
    }
}
