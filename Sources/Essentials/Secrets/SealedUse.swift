/// What is sealed and where it belongs: what was sealed for one use opens for no other.
package struct SealedUse: Sendable {
    let purpose: SecretKey.Purpose
    /// Authenticated with the contents.
    let context: [UInt8]

    /// The names are kept apart by a NUL, which none of them has: an issuer is a URL.
    private init(_ purpose: SecretKey.Purpose, _ names: String...) {
        self.purpose = purpose
        context = Array(names.joined(separator: "\0").utf8)
    }

    /// The contents of a mail in the outbox.
    package static func mail(id: String) -> Self { Self(.sealMail, id) }

    /// What a provider granted for an identity.
    package static func grant(issuer: String, subject: String) -> Self { Self(.sealGrant, issuer, subject) }

    /// What a browser carries in a cookie of that kind.
    package static func cookie(name: String) -> Self { Self(.sealCookie, name) }

    /// The token of a mailed link of that kind, in the form of its page.
    package static func link(name: String) -> Self { Self(.sealLink, name) }

    /// Where a visitor goes after signing in, as a link of an application's host says.
    package static let handOver = Self(.sealHandOver)

    /// What an application asks for by OpenID Connect, of that kind, while the visitor is on other
    /// pages.
    package static func openID(name: String) -> Self { Self(.sealOpenID, name) }

    /// A form that waits for a proof by somebody signed in.
    package static func heldForm(sessionID: String) -> Self { Self(.sealHeldForm, sessionID) }

    /// A key that signs assertions.
    package static func signingKey(id: String) -> Self { Self(.sealSigningKey, id) }

    /// What an account's second factor of that kind is checked by.
    package static func factorKey(kind: String, account: String) -> Self { Self(.sealFactorKey, kind, account) }

    /// What a form of a session carries in a hidden field of that name.
    package static func form(name: String, session: String) -> Self { Self(.sealForm, name, session) }
}
