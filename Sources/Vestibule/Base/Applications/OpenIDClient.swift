import Essentials

/// An application as a client of OpenID Connect: its id there is its name.
package struct OpenIDClient: Sendable, Equatable {
    package let redirects: [ClientRedirect]
    /// Whether it can keep no secret, as an app on somebody's phone.
    package var isPublic = false
    package var requiresPKCE = true
    /// Signs its ID tokens.
    package var algorithm = SigningAlgorithm.rs256
    /// Whether it gets refresh tokens for `offline_access`.
    package var offersOffline = false
    /// Where it hears that a session has ended.
    package var logoutURL: String?
    /// Where a sign-out that it has asked for may lead.
    package var logoutRedirects: [ClientRedirect] = []
    /// Whether people are not asked before the first entry.
    package var isTrusted = false

    /// Whether an answer may be sent there.
    package func mayRedirect(to text: String) -> Bool {
        redirects.contains { $0.allows(text) }
    }

    /// Whether another program on the machine can get what is sent there, too: without the question
    /// it would get a code unseen (RFC 8252 section 8.6). Any app can take another one's scheme,
    /// and have a server that keeps the secret spend the code. A loopback address of a client with
    /// a secret is taken for a server that is being developed.
    func asksEachTime(at redirect: String) -> Bool {
        !redirect.begins(with: "https://") && (isPublic || !redirect.begins(with: "http://"))
    }

    package func mayLeaveTo(_ text: String) -> Bool {
        logoutRedirects.contains { $0.allows(text) }
    }
}

/// An address of a client that answers may be sent to, as the settings name it. Another one is
/// equal in every byte, but for the port of a loopback address (RFC 8252 section 7.3).
package struct ClientRedirect: Sendable, Equatable {
    package let text: String
    /// What a content security policy names it by.
    package let source: String
    private let loopback: Loopback?

    private struct Loopback {
        let host: String
        /// Path and query.
        let rest: String

        func isExactly(_ other: Self) -> Bool { host.isExactly(other.host) && rest.isExactly(other.rest) }

        /// Returns nil for another URL than `http` at a loopback address.
        init?(_ text: String) {
            let found = ["127.0.0.1", "localhost"].lazy.compactMap { host in
                text.after("http://\(host)").map { (host, $0.utf8) }
            }
            guard let (host, tail) = found.first else { return nil }
            var rest = tail
            if rest.first == UInt8(ascii: ":") {
                let digits = rest.dropFirst().prefix { (48...57).contains($0) }
                guard UInt16(String(Substring(digits))) != nil, digits.count <= 5 else { return nil }
                rest = rest[digits.endIndex...]
            }
            guard rest.first.map({ "/?".utf8.contains($0) }) ?? true else { return nil }
            (self.host, self.rest) = (host, String(Substring(rest)))
        }
    }

    /// An `https` URL, one of `http` at a loopback address, or one of a scheme with a dot, as apps
    /// have it (RFC 8252 section 7.1); without fragment. Returns nil for anything else.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\\\"<>#,;*".utf8.contains($0) }
        guard isPlain, text.utf8.count <= 512 else { return nil }
        loopback = Loopback(text)
        if let loopback {
            source = "http://\(loopback.host):*"
        } else if text.begins(with: "https://"), let origin = Origin(ofURL: text) {
            source = origin.text
        } else {
            let parts = text.parts(by: ":", atMost: 2)
            guard parts.count == 2, !parts[1].isEmpty, Self.isOfApp(parts[0]) else { return nil }
            source = "\(parts[0]):"
        }
        self.text = text
    }

    private static func isOfApp(_ scheme: Substring) -> Bool {
        let bytes = scheme.utf8
        let isName = bytes.allSatisfy { $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) }
        return isName && scheme.holds(".") && bytes.first.map { (97...122).contains($0.asciiLowercased) } ?? false
    }

    func allows(_ other: String) -> Bool {
        text.isExactly(other) || (loopback.flatMap { own in Loopback(other).map(own.isExactly) } ?? false)
    }

    package static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }
}
