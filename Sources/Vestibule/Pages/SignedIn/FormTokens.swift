import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// The token that each form of a session carries, so that no other site can send one for its owner.
struct FormTokens: Sendable {
    let key: SecretKey
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
        audit.log(.crossSite, visitor: visitor, path: request.uri.path)
        guard token?.count == Self.bytes else { throw HTTPError(.forbidden) }
        return false
    }
}

extension Web {
    var formTokens: FormTokens { FormTokens(key: key, audit: audit) }

    /// The token for the forms of a page.
    func formToken(_ context: SignedInContext) -> String {
        formTokens.token(of: context.session)
    }

    /// What every page of an account is filled with.
    func accountValues(_ context: SignedInContext) -> Values {
        [
            "signedIn": true, "csrf": formToken(context), "display_name": context.account.displayName,
            "email": context.account.email.typed,
        ]
    }
}
