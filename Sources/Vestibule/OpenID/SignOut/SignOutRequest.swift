import Essentials
import Foundation

/// What a client asks for at `/oauth/logout` (OpenID Connect RP-Initiated Logout section 2). It is
/// carried, sealed, from one page to the next.
struct SignOutRequest: Codable, Sendable {
    /// The session that an ID token of the client names.
    var session: String?
    /// The client that the ID token was made for.
    var client: String?
    /// Where the browser goes after, with the client's state.
    var redirect: String?
    /// Seconds since 1970.
    var madeAt: Double = 0

    func isOf(_ session: Session) -> Bool {
        self.session?.isExactly(session.id.rawValue) ?? false
    }
}

/// The client is unknown or may not send anybody there, or the request cannot be read.
struct SignOutFault: Error {
    /// The `client_id` that was sent, or the client that a valid hint names.
    var client: String?
    /// What the page says.
    var page = AuthorizationFault.Page.redirect
}

/// Reads what clients ask for.
struct SignOutReader: Sendable {
    let applications: Applications
    let hints: IDTokenHints
    let key: SecretKey
    let now: @Sendable () -> Date

    private static let use = SealedUse.openID(name: "sign-out")
    /// Seconds.
    private static let lifetime: TimeInterval = 3600

    /// Throws `SignOutFault`.
    func request(_ sent: [String: String]) async throws -> SignOutRequest {
        // Empty parameters count as left out, as at `/oauth/authorize`; `state` is given back as it
        // came.
        let fields = sent.filter { !$0.value.isEmpty }
        var request = SignOutRequest(madeAt: now().timeIntervalSince1970)
        var id = fields["client_id"]
        if let text = fields["id_token_hint"], let hint = try await hints.read(text),
            applications.client(hint.client) != nil
        {
            guard id.map(hint.client.isExactly) ?? true else { throw SignOutFault(client: id, page: .unreadable) }
            (request.session, id) = (hint.session.rawValue, hint.client)
            // Any site can send a `client_id`.
            request.client = hint.client
        }
        // A hint cannot be read once its key is gone. Without `client_id` the client is unknown
        // then.
        guard let redirect = fields["post_logout_redirect_uri"], let id else { return request }
        guard let client = applications.client(id)?.client, client.mayLeaveTo(redirect) else {
            throw SignOutFault(client: id)
        }
        request.redirect = redirect.adding(["state": sent["state"]])
        guard try sealed(request).utf8.count <= 4096 else { throw SignOutFault(client: id, page: .unreadable) }
        return request
    }

    func sealed(_ request: SignOutRequest) throws -> String {
        try key.sealedText(request, for: Self.use)
    }

    /// What an earlier page carried on. If it was not made here, or longer than an hour ago: a
    /// plain request to sign out, without session and address.
    func opened(_ text: String) -> SignOutRequest {
        let now = now().timeIntervalSince1970
        let request = key.opened(text, atMost: 4096, for: Self.use, as: SignOutRequest.self)
        guard let request, now - request.madeAt < Self.lifetime else { return SignOutRequest(madeAt: now) }
        return request
    }
}
