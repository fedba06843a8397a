package import Mailing

extension SMTPTestServer {
    /// A transport to this server.
    package func transport(
        host: String = "localhost",
        implicitTLS: Bool = false,
        trusted: Bool = true,
        password: String? = nil,
        timeout: Duration = .seconds(20)
    ) throws -> SMTPTransport {
        let server = SMTPServer(
            host: host,
            port: port,
            implicitTLS: implicitTLS,
            user: password.map { _ in "door" },
            password: password.map { MailPassword($0) }
        )
        guard let sender = MailAddress("Vestibule <no-reply@door.example>") else { throw DidNotStart() }
        return SMTPTransport(server: server, sender: sender, caFile: trusted ? caFile : nil, timeout: timeout)
    }
}
