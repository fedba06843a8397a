/// The site that passkeys are made for (WebAuthn section 4).
public struct RelyingParty: Sendable, Equatable {
    /// The RP ID: the host of the public URL. A passkey works at this host and nowhere else.
    package let id: String
    /// Where the pages are, as browsers spell it: `https://example.com`.
    let origin: String
    /// What browsers show.
    let name: String

    /// `id` is the host of `origin`, or a domain that it ends with.
    public init(id: String, origin: String, name: String) {
        (self.id, self.origin, self.name) = (id, origin, name)
    }
}
