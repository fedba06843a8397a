/// The mail server that mails are handed to; the connection is always encrypted and its certificate
/// checked.
package struct SMTPServer: Sendable, Equatable {
    /// An ASCII host name, or an IP address (version 6 without its brackets).
    let host: String
    let port: Int
    /// TLS from the first byte (RFC 8314), instead of required STARTTLS (RFC 3207).
    let implicitTLS: Bool
    let user: String?
    let password: MailPassword?

    package init(host: String, port: Int, implicitTLS: Bool, user: String? = nil, password: MailPassword? = nil) {
        self.host = host
        self.port = port
        self.implicitTLS = implicitTLS
        self.user = user
        self.password = password
    }
}
