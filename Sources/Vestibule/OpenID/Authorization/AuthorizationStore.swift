package import Essentials
package import Foundation

/// A code about to be stored: worth one token, for the client that asked, while the session that
/// was there goes on.
package struct NewCode: Sendable {
    /// Seconds.
    package static let lifetime: TimeInterval = 60
    /// One more ends the oldest: so many pages may a browser open at once.
    package static let mostPerSession = 20
    /// So many used codes of a session are kept, so that a second use is noticed.
    package static let mostSpentPerSession = 100

    package let digest: TokenDigest
    package let application: String
    package let redirect: String
    package let challenge: String?
    package let nonce: String?
    package let scopes: String
    /// Worth nothing once another token has taken the place of the one that was presented.
    package let session: PresentedSession
    package let expiresAt: Date
}

/// The account lets the application see less than a code would. Nothing was written.
package struct ConsentMissing: Error, Sendable {
    package init() {}
}

/// The store's part of answering clients with codes.
package protocol AuthorizationStore: Sendable {
    /// Keeps a code, and of those of its session no more than `NewCode.mostPerSession` and
    /// `NewCode.mostSpentPerSession`. Throws `Superseded` when the session has ended, and
    /// `ConsentMissing` if consent is needed and does not cover all scopes.
    func addCode(_ code: NewCode, needsConsent: Bool) async throws
}
