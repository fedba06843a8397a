import Crypto
import Essentials
import Foundation

/// A sign-in through a provider that has begun: bound to one browser, which carries it sealed in a cookie.
package struct AuthFlow: Sendable, Codable {
    static let lifetime: TimeInterval = 600

    /// What the answer is for.
    enum Purpose: Sendable, Codable, Equatable {
        /// To sign in, in place of that session where its owner has agreed.
        case signIn(replacing: String?)
        /// To add the identity to the account of that session.
        case link(session: String)
        /// To prove again who has that session.
        case prove(session: String)
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

    /// Whether the provider is to ask its person to sign in anew (OpenID Connect Core section
    /// 3.1.2.1).
    var wantsFreshSignIn: Bool {
        if case .prove = purpose { true } else { false }
    }

    /// S256 of the verifier.
    var challenge: String { Base64URL.encode(SHA256.hash(data: Array(verifier.utf8))) }

    /// It may be answered a single time.
    var once: Once {
        Once(digest: TokenDigest(bytes: [UInt8](SHA256.hash(data: Array(state.utf8)))), until: expiresAt)
    }
}

/// What a provider answered through the browser.
package struct ProviderAnswer: Sendable, Codable {
    var state: String
    var code: String?
    var error: String?
    var issuer: String?
    /// The name, which Apple says beside the token and only once; unsigned.
    var name: String?

    /// Both ways of saying that the visitor changed their mind.
    var isCancelled: Bool { error == "access_denied" || error == "user_cancelled_authorize" }
}

/// A person a provider vouches for who has no account here yet, or has not linked it; carried sealed by their browser.
package struct PendingIdentity: Sendable, Codable {
    static let lifetime: TimeInterval = 1800

    /// A random value; for an app its nonce.
    let id: String
    let provider: String
    let issuer: String
    let subject: String
    let email: String?
    let isEmailVerified: Bool
    let name: String?
    let grant: ProviderGrant?
    let returnTo: String?
    /// "Keep me signed in"; nil is no.
    let remember: Bool?
    let expiresAt: Date

    /// It may be used a single time, to sign in or to make or connect an account.
    var once: Once {
        Once(digest: TokenDigest(bytes: [UInt8](SHA256.hash(data: Array("identity \(id)".utf8)))), until: expiresAt)
    }
}

/// What the browser carries between the steps, sealed; each kind is told from the others.
enum AuthCarried: Sendable, Codable {
    case flow(AuthFlow)
    case answer(ProviderAnswer)
    case pending(PendingIdentity)

    /// As a cookie's value.
    func sealed(_ key: SecretKey, cookie: String) throws -> String {
        Base64URL.encode(try key.seal(CompactJSON.encode(self), for: .cookie(name: cookie)))
    }

    /// `nil` for anything that was not sealed by us for that cookie.
    init?(sealed text: String, _ key: SecretKey, cookie: String) {
        guard text.utf8.count <= 8192, let bytes = Base64URL.decode(text),
            let plain = try? key.open(bytes, for: .cookie(name: cookie)),
            let carried = try? JSONDecoder().decode(AuthCarried.self, from: Data(plain))
        else { return nil }
        self = carried
    }
}
