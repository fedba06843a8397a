import Crypto
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

    init(
        provider: String, returnTo: String?, purpose: Purpose, remember: Bool, page: Page?, random: Randomness,
        now: Date
    ) {
        self.provider = provider
        state = Base64URL.encode(random.bytes(32))
        nonce = Base64URL.encode(random.bytes(32))
        verifier = Base64URL.encode(random.bytes(32))
        self.returnTo = returnTo
        self.purpose = purpose
        self.remember = remember
        self.page = page
        expiresAt = now.addingTimeInterval(Self.lifetime)
    }

    var startedAt: Date { expiresAt.addingTimeInterval(-Self.lifetime) }

    /// A new proof takes a new sign-in at the provider.
    var wantsFreshSignIn: Bool {
        if case .prove = purpose { true } else { false }
    }

    /// What the browser takes to the provider.
    var request: AuthorizationRequest {
        AuthorizationRequest(
            state: state, nonce: nonce, challenge: Base64URL.encode(SHA256.hash(data: Array(verifier.utf8))),
            wantsFreshSignIn: wantsFreshSignIn)
    }

    /// It may be answered a single time.
    var once: Once {
        Once(digest: TokenDigest(bytes: [UInt8](SHA256.hash(data: Array(state.utf8)))), until: expiresAt)
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
