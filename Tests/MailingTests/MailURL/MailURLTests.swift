import Testing

@testable import Essentials
@testable import Mailing

struct MailURLTests {
    @Test func `a folder`() throws {
        #expect(try MailURL("outbox:data/mail") == .outbox("data/mail"))
        #expect(try MailURL("outbox:/var/lib/vestibule/mail") == .outbox("/var/lib/vestibule/mail"))
    }

    @Test func `the ports are 587 and 465 unless said`() throws {
        #expect(try MailURL("smtp://mail.example.org") == .smtp(server("mail.example.org", 587)))
        #expect(try MailURL("smtps://mail.example.org/") == .smtp(server("mail.example.org", 465, implicitTLS: true)))
        #expect(try MailURL("smtp://localhost:2525") == .smtp(server("localhost", 2525)))
        #expect(try MailURL("smtp://[2001:db8::1]:25") == .smtp(server("2001:db8::1", 25)))
    }

    @Test func `credentials are percent-decoded and keep their colons`() throws {
        let url = try MailURL("smtp://door%40example.org:p%C3%BC%3A:%2F@mail.example.org:587")
        let expected = server("mail.example.org", 587, user: "door@example.org", password: "pü::/")
        #expect(url == .smtp(expected))
    }

    @Test func `the password is in no description`() throws {
        let url = try MailURL("smtp://door:hunter2@mail.example.org")
        var dumped = ""
        dump(url, to: &dumped)
        #expect(!(dumped + "\(url)" + String(reflecting: url)).contains("hunter2"))
    }

    @Test(arguments: [
        "", "mail", "http://mail.example.org", "SMTP:", "outbox:", "outbox:a\nb", "smtp://", "smtp:///", "smtp://:25",
        "smtp://mail.example.org:0", "smtp://mail.example.org:65536", "smtp://mail.example.org:x", "smtp://a b",
        "smtp://mail.example.org/path", "smtp://mail.example.org?x=1", "smtp://mäil.example.org", "smtp://[::1",
        "smtp://[evil.org]", "smtp://[::1]25", "smtp://hunter2@mail.example.org", "smtp://:hunter2@mail.example.org",
        "smtp://hunter2:@mail.example.org", "smtp://door:hunter2%@mail.example.org",
        "smtp://door:hunter2%0D%0A@mail.example.org", "smtp://door:hunter2%FF@mail.example.org",
    ])
    func `a wrong one is refused with a reason that repeats nothing`(text: String) {
        let fault = #expect(throws: MailURLFault.self) { try MailURL(text) }
        #expect(fault?.reason.isEmpty == false)
        #expect(fault?.reason.contains("hunter2") == false)
        #expect(fault?.reason.contains("\n") == false)
    }

    private func server(
        _ host: String, _ port: Int, implicitTLS: Bool = false, user: String? = nil, password: String? = nil
    ) -> SMTPServer {
        let secret = password.map { MailPassword($0) }
        return SMTPServer(host: host, port: port, implicitTLS: implicitTLS, user: user, password: secret)
    }
}
