import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing

/// Against a real server, because what libcurl does is the point; one server at a time.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct SMTPTransportTests {
    private let unconfirmed = MailFailure.unconfirmed("the mail server did not say whether it has taken the mail")

    @Test func `a mail goes out over STARTTLS, dots and all`() async throws {
        let server = try await SMTPTestServer()
        let message = try mail(text: "Hello\n.\n..two dots\nBye\n")
        try await server.transport().send(message)
        let delivered = try #require(try await server.stop().first)
        #expect(delivered.tls == true)
        #expect(delivered.ehlo == "door.example")
        #expect(delivered.sender == "no-reply@door.example")
        #expect(delivered.recipients == ["ada@example.org"])
        #expect(delivered.message == message.raw)
    }

    @Test func `a mail goes out over implicit TLS`() async throws {
        let server = try await SMTPTestServer("--tls", "implicit")
        try await server.transport(implicitTLS: true).send(mail())
        #expect(try await server.stop().map(\.tls) == [true])
    }

    @Test func `a server without TLS gets neither mail nor password`() async throws {
        let server = try await SMTPTestServer("--tls", "none", "--auth", "door:s3cret")
        let failure = await failure { try await server.transport(password: "s3cret").send(mail()) }
        #expect(failure == .temporary("cannot talk to the mail server: it offers no STARTTLS at this port"))
        #expect(failure?.hint?.contains("smtps:// with port 465") == true)
        #expect(try await server.stop().isEmpty)
    }

    @Test func `a certificate nobody vouches for is refused`() async throws {
        for tls in ["starttls", "implicit"] {
            let server = try await SMTPTestServer("--tls", tls)
            let stranger = try server.transport(implicitTLS: tls == "implicit", trusted: false)
            let failure = await failure { try await stranger.send(mail()) }
            #expect(failure?.isTemporary == true && failure?.reason.contains("certificate has expired, ") == true)
            #expect(failure?.hint?.contains("update-ca-certificates") == true)
            #expect(failure?.hint?.contains("this machine's clock") == true)
            #expect(try await server.stop().isEmpty)
        }
    }

    @Test func `a certificate for another name is refused`() async throws {
        let server = try await SMTPTestServer()
        let failure = await failure { try await server.transport(host: "127.0.0.1").send(mail()) }
        #expect(failure?.isTemporary == true)
        #expect(try await server.stop().isEmpty)
    }

    @Test func `the password is given, inside TLS`() async throws {
        let server = try await SMTPTestServer("--auth", "door:s3cret ü@:")
        try await server.transport(password: "s3cret ü@:").send(mail())
        let events = try await server.stop()
        #expect(events.map(\.kind) == ["login", "mail"])
        #expect(events.map(\.tls) == [true, true])
    }

    @Test func `a wrong or missing password is for the operator to mend`() async throws {
        let server = try await SMTPTestServer("--auth", "door:s3cret")
        let wrong = await failure { try await server.transport(password: "wr0ng").send(mail()) }
        #expect(wrong == .senderRefused("user name or password is wrong: the mail server answered 535 5.7.8"))
        let missing = await failure { try await server.transport().send(mail()) }
        #expect(missing == .senderRefused("user name and password are missing: the mail server answered 530 5.7.0"))
        #expect(try await server.stop().map(\.kind) == ["login"])
    }

    @Test(arguments: [["none"], ["none", "--reply-to-rcpt", "554"], ["CRAM-MD5"]])
    func `a server that takes no password gets no mail, and the check meets it, too`(options: [String]) async throws {
        let server = try await SMTPTestServer(["--mechanism"] + options)
        let refused = MailFailure.senderRefused(
            "cannot sign in to the mail server: it offers no sign-in at this port (AUTH PLAIN or LOGIN)")
        let sending = await failure { try await server.transport(password: "s3cret").send(mail()) }
        #expect(sending == refused && sending?.hint?.contains("587 or 465") == true)
        #expect(await failure { try await server.transport(password: "s3cret").check() } == refused)
        #expect(try await server.stop().isEmpty)
    }

    @Test(arguments: ["421", "450", "451", "452"])
    func `a server that wants no mail of ours for now is busy, not an operator's fault`(reply: String) async throws {
        let server = try await SMTPTestServer("--reply-to-mail", reply)
        let sending = await failure { try await server.transport().send(mail()) }
        #expect(sending?.isTemporary == true && sending?.reason.contains(reply) == true)
        #expect(await failure { try await server.transport().check() }?.isTemporary == true)
        #expect(try await server.stop().isEmpty)
    }

    @Test(arguments: ["550", "553"])
    func `a refusal at MAIL FROM is about us, and the check meets it, too`(reply: String) async throws {
        let server = try await SMTPTestServer("--reply-to-mail", reply)
        let refused = MailFailure.senderRefused("sender refused: the mail server answered \(reply)")
        #expect(await failure { try await server.transport().send(mail()) } == refused)
        #expect(await failure { try await server.transport().check() } == refused)
        #expect(try await server.stop().isEmpty)
    }

    @Test func `a mail that gets no answer is given up in time, and is not taken for a broken server`() async throws {
        let server = try await SMTPTestServer("--hang-domain", "example.org")
        var failures: [MailFailure?] = []
        // On a busy machine a conversation may need longer to come as far as the mail.
        for seconds in [1, 4, 16, 64] where failures.last != unconfirmed {
            failures.append(await failure { try await server.transport(timeout: .seconds(seconds)).send(mail()) })
        }
        #expect(failures.last == unconfirmed)
        #expect(Set(try await server.stop().map(\.kind)) == ["hanging"])
    }

    @Test func `a recipient of whom the server says nothing is given up in time`() async throws {
        let server = try await SMTPTestServer("--hang-at", "rcpt")
        let silent = MailFailure.unanswered("the mail server did not answer in time")
        var failures: [MailFailure?] = []
        for seconds in [1, 4, 16, 64] where failures.last != silent {
            failures.append(await failure { try await server.transport(timeout: .seconds(seconds)).send(mail()) })
        }
        #expect(failures.last == silent)
        #expect(try await server.stop().isEmpty)
    }

    @Test func `a connection that ends at one recipient is not taken for a broken server`() async throws {
        let server = try await SMTPTestServer("--close-at", "rcpt")
        let failure = await failure { try await server.transport().send(mail()) }
        #expect(failure == .unanswered("the mail server ended the connection"))
        #expect(try await server.stop().isEmpty)
    }

    @Test func `a connection that ends at the mail itself may end at every mail`() async throws {
        let server = try await SMTPTestServer("--close-at", "data")
        let failure = await failure { try await server.transport().send(mail()) }
        #expect(failure?.isTemporary == true, "\(String(describing: failure))")
        #expect(try await server.stop().isEmpty)
    }

    @Test(arguments: ["354", "close"])
    func `a whole mail without a valid answer may have been taken`(reply: String) async throws {
        let server = try await SMTPTestServer("--reply-to-data", reply)
        #expect(await failure { try await server.transport().send(mail()) } == unconfirmed)
        #expect(try await server.stop().map(\.kind) == ["mail"])
    }

    @Test(arguments: ["251", "299"])
    func `every 2xx says that the mail was taken`(reply: String) async throws {
        let server = try await SMTPTestServer("--reply-to-data", reply)
        try await server.transport().send(mail())
        #expect(try await server.stop().map(\.kind) == ["mail"])
    }

    @Test(arguments: ["550", "553"])
    func `a recipient refused for good is a permanent failure`(reply: String) async throws {
        let server = try await SMTPTestServer("--reply-to-rcpt", reply)
        let failure = await failure { try await server.transport().send(mail()) }
        #expect(failure == .permanent("the mail server answered \(reply)"))
        #expect(try await server.stop().isEmpty)
    }

    @Test(arguments: [
        ("550 5.1.1", "550 5.1.1"), ("550 4.1.1", "550"), ("550 5.1", "550"), ("550 5.1.1234", "550"),
        ("550 5.x.1", "550"),
    ])
    func `the enhanced status code of a refusal is kept, and nothing else of it`(
        reply: String, kept: String
    ) async throws {
        let server = try await SMTPTestServer("--reply-to-rcpt", reply)
        let failure = await failure { try await server.transport().send(mail()) }
        #expect(failure == .permanent("the mail server answered \(kept)"))
    }

    @Test func `a recipient refused for now is a mail put off`() async throws {
        let server = try await SMTPTestServer("--reply-to-rcpt", "451")
        let failure = await failure { try await server.transport().send(mail()) }
        #expect(failure?.isDeferred == true)
        #expect(failure?.reason.contains("451") == true)
        #expect(failure?.reason.contains("ada") == false)
    }

    @Test func `a mail refused after its last line fails as the server says`() async throws {
        let never = try await SMTPTestServer("--reply-to-data", "554")
        #expect(
            await failure { try await never.transport().send(mail()) } == .permanent("the mail server answered 554"))
        let later = try await SMTPTestServer("--reply-to-data", "452")
        #expect(await failure { try await later.transport().send(mail()) }?.isDeferred == true)
    }

    @Test func `a server that refuses us, not the mail, is a temporary failure`() async throws {
        let server = try await SMTPTestServer("--greeting", "554")
        let failure = await failure { try await server.transport().send(mail()) }
        let reason = "cannot talk to the mail server: it takes no mail from this machine; it answered 554"
        #expect(failure == .temporary(reason))
        #expect(failure?.hint?.contains("block list") == true)
    }

    /// Gmail's, when its users have sent as much as they may in a day.
    @Test func `a limit of sending that is reached passes, and is not the sender's address`() async throws {
        let server = try await SMTPTestServer("--reply-to-mail", "550 5.4.5")
        let failure = await failure { try await server.transport().send(mail()) }
        let reason = "sending limit reached: the mail server answered 550 5.4.5"
        #expect(failure == .temporary(reason))
        #expect(failure?.hint?.contains("a higher limit") == true)
    }

    @Test func `a mail is sent when it was taken, whether QUIT is answered or not`() async throws {
        let server = try await SMTPTestServer("--hang-at", "quit")
        // Longer than the suite may take.
        try await server.transport(timeout: .seconds(3600)).send(mail())
        #expect(try await server.stop().map(\.kind) == ["mail"])
    }

    @Test func `sessions in which nobody answers QUIT do not pile up`() async throws {
        let server = try await SMTPTestServer("--hang-at", "quit", "--count-sessions")
        let transport = try server.transport()
        for _ in 0..<40 { try await transport.send(mail()) }
        let most = try #require(try await server.stop().last?.sessions)
        #expect(most <= 17)
    }

    @Test func `a silent server is given up after the time-out`() async throws {
        let server = try await SMTPTestServer("--hang")
        // The suite's limit of time is shorter than the server's silence.
        let failure = await failure { try await server.transport(timeout: .milliseconds(700)).send(mail()) }
        #expect(failure?.isTemporary == true)
    }

    @Test func `nobody listening is a temporary failure`() async throws {
        let server = try await SMTPTestServer()
        let transport = try server.transport()
        _ = try await server.stop()
        let failure = await failure { try await transport.send(mail()) }
        #expect(failure == .temporary("cannot talk to the mail server: nothing listens at this host and port"))
    }

    @Test func `an address in UTF-8 needs a server that takes it`() async throws {
        let able = try await SMTPTestServer()
        try await able.transport().send(mail(to: "jürgen@example.org"))
        let delivered = try #require(try await able.stop().first)
        #expect(delivered.recipients == ["jürgen@example.org"])
        #expect(delivered.smtputf8 == true)
        let unable = try await SMTPTestServer("--no-smtputf8")
        let failure = await failure { try await unable.transport().send(mail(to: "jürgen@example.org")) }
        #expect(failure?.isTemporary == false)
        #expect(try await unable.stop().isEmpty)
    }

    @Test(arguments: ["", "ada", "a@b\r\nDATA", "<ada@example.org>", "a b@example.org", "ada@exämple.org", "a@b@c"])
    func `an address that could not be written is refused before it is sent`(address: String) async throws {
        let server = try await SMTPTestServer()
        let failure = await failure { try await server.transport().send(mail(to: address)) }
        #expect(failure?.isTemporary == false)
        #expect(try await server.stop().isEmpty)
    }

    @Test func `the check tries everything but a mail`() async throws {
        let server = try await SMTPTestServer("--auth", "door:s3cret")
        try await server.transport(password: "s3cret").check()
        await #expect(
            throws: MailFailure.senderRefused("user name or password is wrong: the mail server answered 535 5.7.8")
        ) {
            try await server.transport(password: "wr0ng").check()
        }
        await #expect(throws: MailFailure.self) { try await server.transport(trusted: false).check() }
        #expect(try await server.stop().map(\.kind) == ["login", "login"])
    }
}

private func failure(_ work: () async throws -> Void) async -> MailFailure? {
    do {
        try await work()
        return nil
    } catch {
        return error as? MailFailure
    }
}

extension MailFailure {
    fileprivate var isDeferred: Bool {
        if case .deferred = self { true } else { false }
    }

    fileprivate var isTemporary: Bool {
        if case .temporary = self { true } else { false }
    }
}
