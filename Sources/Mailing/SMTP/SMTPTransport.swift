/// Mails through an SMTP server (RFC 5321), encrypted or not at all.
package struct SMTPTransport: MailTransport {
    private let server: SMTPServer
    private let sender: MailAddress
    private let caFile: String?
    private let connectTimeout: Duration
    private let timeout: Duration
    private let closing = ClosingSessions()
    /// For a whole conversation. Servers that look into a mail answer its end late (RFC 5321,
    /// 4.5.3.2.6); those that never answer keep others waiting for as long.
    package static let usualTimeout: Duration = .seconds(30)

    /// The domain of `sender` names us in EHLO; `caFile` (PEM) adds a trust root, for tests.
    /// `timeout` is for a whole conversation, connecting included: less than a mail's lease.
    package init(
        server: SMTPServer,
        sender: MailAddress,
        caFile: String? = nil,
        connectTimeout: Duration = .seconds(10),
        timeout: Duration = usualTimeout
    ) {
        self.server = server
        self.sender = sender
        self.caFile = caFile
        self.connectTimeout = connectTimeout
        self.timeout = timeout
    }

    /// Returns when the server has accepted the mail; QUIT is said after that.
    package func send(_ message: MailMessage) async throws(MailFailure) {
        guard AddrSpec.isUsable(message.to) else { throw .permanent("the recipient's address cannot be written") }
        try await MailThreads.runAlone(closing: closing, opening: session) { curl throws(MailFailure) in
            try curl.upload(message.encoded, from: message.from.address, to: message.to)
        }
    }

    /// Connects, negotiates TLS, greets, authenticates and says who would send; ends before it
    /// names a recipient.
    package func check() async throws(MailFailure) {
        try await MailThreads.runAlone(closing: closing, opening: session) { curl throws(MailFailure) in
            try curl.command("MAIL FROM:<\(sender.address)>")
        }
    }

    private func session() throws(MailFailure) -> CurlSMTP {
        let curl = try CurlSMTP()
        try curl.connect(to: server, greeting: sender.domain)
        try curl.trust(caFile: caFile)
        try curl.limit(connect: connectTimeout, total: timeout)
        return curl
    }
}
