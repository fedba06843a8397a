import Essentials

extension SMTPServer {
    /// Reads `user:pass@host:port`, an optional slash behind it (RFC 3986, 3.2); credentials are
    /// percent-decoded.
    init(authority text: Substring, implicitTLS: Bool) throws(MailURLFault) {
        let text = text.before("/") ?? text
        let at = text.utf8.lastIndex(of: UInt8(ascii: "@"))
        let (host, port) = try Self.hostAndPort(at.flatMap { text[$0...].after("@") } ?? text)
        let credentials = try at.map { (end) throws(MailURLFault) in try Self.credentials(text[..<end]) }
        self.init(
            host: host,
            port: port ?? (implicitTLS ? 465 : 587),
            implicitTLS: implicitTLS,
            user: credentials?.user,
            password: credentials?.password
        )
    }

    private static func hostAndPort(_ text: Substring) throws(MailURLFault) -> (String, Int?) {
        let parts = text.after("[").map { $0.parts(by: "]", atMost: 2) }
        let hostEnd = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        let host = parts?[0] ?? text[..<hostEnd]
        let rest = parts.map { $0.count == 2 ? $0[1] : "" } ?? text[hostEnd...]
        let isHost = parts.map { $0.count == 2 && isIPv6(host) } ?? AddrSpec.isDomain(host)
        guard isHost else {
            throw MailURLFault("needs an ASCII host name or address, such as smtp://mail.example.org:587")
        }
        guard !rest.isEmpty else { return (String(host), nil) }
        guard let port = rest.after(":").flatMap(port) else {
            throw MailURLFault("must end after the host, or with :PORT from 1 to 65535")
        }
        return (String(host), port)
    }

    private static func isIPv6(_ text: Substring) -> Bool {
        text.holds(":") && text.utf8.allSatisfy { Hex.value($0) != nil || ":.".utf8.contains($0) }
    }

    private static func port(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy(\.isASCIIDigit), let port = Int(text), (1...65_535).contains(port) else {
            return nil
        }
        return port
    }

    private static func credentials(_ text: Substring) throws(MailURLFault) -> (user: String, password: MailPassword) {
        let parts = text.parts(by: ":", atMost: 2).filter { !$0.isEmpty }.map(percentDecoded)
        guard parts.count == 2, let user = parts[0], let password = parts[1] else {
            throw MailURLFault(
                "must write credentials as user:password@, with special characters percent-encoded (@ as %40)")
        }
        return (user, MailPassword(password))
    }

    /// `nil` for a broken escape, bytes that are not UTF-8, and control characters, which SMTP
    /// cannot carry.
    private static func percentDecoded(_ text: Substring) -> String? {
        String(text).percentDecoded.flatMap { decoded in
            decoded.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) ? nil : decoded
        }
    }
}
