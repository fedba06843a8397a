import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// The token that each form of a session carries, so that no other site can send one for its owner.
struct FormTokens: Sendable {
    let key: SecretKey
    let publicURL: Origin
    let audit: Audit
    private static let bytes = 32

    /// It outlives a renewal of the session, so that other tabs go on working.
    func token(of session: Session) -> String {
        Base64URL.encode(key.mac(.csrf, Array(session.id.rawValue.utf8)))
    }

    /// Whether the form carries the token of that session. Throws `HTTPError` 403 for a form with
    /// nothing like a token.
    func verify(_ form: Form, of session: Session?, _ request: Request, _ visitor: Visitor) throws -> Bool {
        let token = Base64URL.decode(form["csrf"])
        if let session, let token, key.verifies(token, .csrf, Array(session.id.rawValue.utf8)) { return true }
        let isToken = token?.count == Self.bytes
        // A page opened before the last sign-in sends the token of the session before: not an
        // attack, if the browser says that the page is ours.
        if !isToken || RequestSource(request, publicURL: publicURL) != .ourPage {
            audit.log(.crossSite, visitor: visitor, path: request.uri.path)
        }
        guard isToken else { throw HTTPError(.forbidden) }
        return false
    }
}

extension Web {
    var formTokens: FormTokens { FormTokens(key: key, publicURL: publicURL.origin, audit: audit) }
    var signedLinks: SignedLink { SignedLink(key: key) }

    func formToken(_ context: SignedInContext) -> String {
        formTokens.token(of: context.session)
    }

    func accountValues(_ context: SignedInContext) -> Values {
        [
            "signedIn": true, "csrf": formToken(context), "display_name": context.account.displayName,
            "email": context.account.email.typed, "held_back": context.session.isHeldBack,
        ]
    }
}

/// Shows that a link stood on a page of that session, so that no other site can make its browser
/// follow it.
struct SignedLink: Sendable {
    let key: SecretKey

    func mark(_ what: String, _ session: Session) -> String {
        Base64URL.encode(key.mac(.csrf, message(what, session)))
    }

    func verifies(_ mark: String, _ what: String, _ session: Session) -> Bool {
        Base64URL.decode(mark).map { key.verifies($0, .csrf, message(what, session)) } ?? false
    }

    private func message(_ what: String, _ session: Session) -> [UInt8] {
        Array("link \(what) \(session.id)".utf8)
    }
}
