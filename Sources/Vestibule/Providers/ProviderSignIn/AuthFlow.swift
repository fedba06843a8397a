import Essentials
import Foundation

/// A sign-in through a provider that has begun: bound to one browser, which carries it sealed in a
/// cookie.
struct AuthFlow: Sendable, Codable {
    static let lifetime: TimeInterval = 600

    /// What the answer is for.
    enum Purpose: Sendable, Codable, Equatable {
        /// To sign in, in place of that session where its owner has agreed.
        case signIn(replacing: SessionID?)
        /// To add the identity to the account of that session.
        case link(session: SessionID)
        /// To prove again who has that session.
        case prove(session: SessionID)
    }

    let provider: String
    /// Comes back with the answer (RFC 6749 section 10.12).
    let state: String
    /// Comes back inside the token.
    let nonce: String
    /// What only we can show for the code (RFC 7636).
    let verifier: String
    let returnTo: String?
    let purpose: Purpose
    /// "Keep me signed in"; nil is no.
    let remember: Bool?
    /// The page it began on, which tells of a failure; nil is login.
    let page: Page?
    let expiresAt: Date

    /// Pages of strangers with buttons of providers.
    enum Page: String, Sendable, Codable, CaseIterable {
        case welcome = "/"
        case login = "/login"
        case signup = "/signup"
    }

    var startedAt: Date { expiresAt.addingTimeInterval(-Self.lifetime) }

    /// A new proof takes a new sign-in at the provider.
    var wantsFreshSignIn: Bool {
        if case .prove = purpose { true } else { false }
    }

    /// Throws unless the token tells of a fresh sign-in, if one was asked for: after `max_age` it
    /// has to (OpenID Connect Core, section 3.1.2.1). Apple cannot be asked; there the whole round
    /// trip counts.
    func check(_ token: IDToken, isApple: Bool) throws(ProviderFault) {
        guard wantsFreshSignIn, !isApple else { return }
        guard let moment = token.authenticatedAt else { throw .rejected("no auth_time") }
        guard moment > startedAt.addingTimeInterval(-IDTokenClaims.skew) else {
            throw .rejected("signed in there too long ago")
        }
    }

    var once: Once {
        Once(digest: TokenDigest(of: state), until: expiresAt)
    }
}

/// What a provider answered through the browser.
struct ProviderAnswer: Sendable, Codable {
    var state: String
    var code: String?
    var error: String?
    var issuer: String?
    /// The name, which Apple says beside the token and only once; unsigned.
    var name: String?

    /// Both ways of saying that the visitor changed their mind.
    var isCancelled: Bool { error == "access_denied" || error == "user_cancelled_authorize" }
}
