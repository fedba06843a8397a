package import Foundation

/// Says who sent a request, by the assertion that Vestibule signed for this application.
///
/// An assertion is a JWT (RFC 7519) signed with ES256 (RFC 7518 section 3.4). One verifier serves
/// a whole application: it keeps the keys that it has read.
public struct AssertionVerifier: Sendable {
    private let issuer: String
    private let audience: String
    private let keys: KeyCache
    private let now: @Sendable () -> Date

    /// Both are compared as the server writes them, however its settings do: scheme and host in
    /// lower case, no default port, no slash at the end, the host in ASCII (`xn--…`).
    ///
    /// - Parameters:
    ///   - issuer: The public URL of the sign-in (`VESTIBULE_PUBLIC_URL`).
    ///   - audience: The origin of this application (`VESTIBULE_APP_<NAME>_ORIGINS`), such as
    ///     `https://notes.example.com`.
    ///   - keys: Where the public keys are read; `/.vestibule/jwks.json` of the audience if nil.
    public init(issuer: String, audience: String, keys: KeySource? = nil) {
        self.init(issuer: issuer, audience: audience, keys: keys, now: { Date() })
    }

    package init(issuer: String, audience: String, keys: KeySource?, now: @escaping @Sendable () -> Date) {
        (self.issuer, self.audience, self.now) = (issuer, audience, now)
        self.keys = KeyCache(source: keys ?? .address("\(audience)/.vestibule/jwks.json"), now: now)
    }

    /// Who the assertion is about.
    ///
    /// The clock here may be 30 seconds ahead of that of the sign-in, and 60 behind it. Throws
    /// ``AssertionError``: what is not signed for this application and good now is refused.
    public func verify(_ assertion: String) async throws(AssertionError) -> Identity {
        let envelope = try AssertionEnvelope(assertion)
        let claims = try envelope.claims(signedWith: try await keys.key(envelope.keyID))
        try claims.check(issuer: issuer, audience: audience, at: now())
        return try Identity(claims)
    }
}
