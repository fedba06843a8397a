import Essentials
import Foundation

/// A sign-in through a provider that has begun: bound to one browser, which carries it sealed in a
/// cookie.
struct AuthFlow: Sendable, Codable {  // Parts: carried sealed, by older versions as well.
    static let lifetime: TimeInterval = 600

    /// What the answer is for.
    enum Purpose: Sendable, Codable, Equatable {
        /// To sign in, in place of that session where its owner has agreed.
        case signIn(replacing: SessionID?)
        /// To add the identity to the account of that session.
        case link(session: SessionID)
        /// To prove again who has that session.
        case prove(session: SessionID)

        var isSignIn: Bool {
            if case .signIn = self { true } else { false }
        }
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
    /// How old, in seconds, the sign-in at the provider may be for the client that this leads back
    /// to; nil means any age.
    let clientMaxAge: Int?
    let expiresAt: Date

    /// Pages of strangers with buttons of providers.
    enum Page: String, Sendable, Codable, CaseIterable {
        case welcome = "/"
        case login = "/login"
        case signup = "/signup"
    }

    var mayReplace: SessionID? {
        if case .signIn(let replacing) = purpose { replacing } else { nil }
    }

    var startedAt: Date { expiresAt.addingTimeInterval(-Self.lifetime) }

    private var isProof: Bool {
        if case .prove = purpose { true } else { false }
    }

    /// How old, in seconds, the sign-in at the provider may be: 0 where a session is proved anew,
    /// and nil for any age.
    var maxAge: Int? { isProof ? 0 : clientMaxAge }

    /// When the person signed in at the provider; nil means the present moment. Throws if the token
    /// tells of a sign-in that is too old. After `max_age` it has to say when it was (OpenID
    /// Connect Core, section 3.1.2.1). Without that no session is proved anew, but a sign-in is
    /// accepted. Apple cannot be asked; there the whole round trip counts.
    func provedAt(_ token: IDToken, isApple: Bool) throws(ProviderFault) -> Date? {
        guard !isApple else { return nil }
        guard let moment = token.authenticatedAt else {
            guard !isProof else { throw .notDated }
            return nil
        }
        guard let maxAge else { return moment }
        guard moment > startedAt.addingTimeInterval(-IDTokenClaims.skew - Double(maxAge)) else { throw .notAskedAgain }
        return maxAge == 0 ? nil : moment
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
