package import Essentials
package import Foundation

/// A code as it came back, with everything that has to be right about it.
package struct CodeRedemption: Sendable {
    package let code: TokenDigest
    package let application: ProtectedApplication
    package let redirect: String
    /// Of the verifier that came with it; nil if none did.
    package let challenge: String?
    package let given: NewTokens
    /// Whether a session that waits for a second factor gets nothing.
    package let requiresFactor: Bool
    package let now: Date
    /// Kept when the code was used before.
    package let replayed: SecurityEvent

    /// A code that expires later than this was made by a clock that was ahead; two nodes may differ
    /// by a minute.
    package var latestExpiry: Date { now.addingTimeInterval(NewCode.lifetime + 60) }

    /// Whether what it writes has to outlive the machine: by it the application is told of the end
    /// of the session, and a refresh token is known.
    package var mustLast: Bool { application.client?.logoutURL != nil || given.refresh != nil }
}

/// A refresh token as it came back.
package struct RefreshRotation: Sendable {
    package let family: TokenDigest
    package let token: TokenDigest
    package let application: ProtectedApplication
    package let given: NewTokens
    /// Whether a session that waits for a second factor gets nothing.
    package let requiresFactor: Bool
    package let now: Date
    /// Kept when the token was used before.
    package let replayed: SecurityEvent
}

extension ProtectedApplication {
    /// Whether it may get tokens: they would be accepted (`reads`), and neither terms nor a
    /// required factor holds the session back.
    package func admits(_ grant: TokenGrant, at now: Date, requiresFactor: Bool) -> Bool {
        !grant.record.session.current(requiresFactor: requiresFactor).isHeldBack && reads(grant, at: now)
    }

    /// Whether its tokens are accepted: the session is alive, and its owner is in one of the groups
    /// and has consented to all scopes, unless the application is trusted.
    func reads(_ grant: TokenGrant, at now: Date) -> Bool {
        grant.record.session.isAlive(at: now) && admits(groups: grant.record.account.groups)
            && (client?.isTrusted != false || Scopes(grant.scopes).isCovered(by: Scopes(grant.consented ?? "")))
    }
}

/// Tokens about to be stored.
package struct NewTokens: Sendable {
    /// One more access token ends the oldest that the client has of the session.
    package static let mostPerSession = 20
    /// Of an access token, in seconds.
    static let lifetime: TimeInterval = 600

    package let access: TokenDigest
    package let accessExpiresAt: Date
    /// Begins a family of refresh tokens, if the scopes ask for one. Nil where the client offers
    /// none.
    package let family: TokenDigest?
    package let refresh: TokenDigest?

    /// As `CodeRedemption.latestExpiry`, of an access token.
    package static func latestExpiry(at now: Date) -> Date { now.addingTimeInterval(lifetime + 60) }
}

/// What a client may see, and until when.
package struct TokenGrant: Sendable {
    package let application: String
    package let scopes: String
    package let record: SessionRecord
    /// The scopes that the owner has let the application see so far; nil if none.
    package let consented: String?
    /// Of the request that the code answered.
    package var nonce: String?
    /// Of a refresh: when the session entered the application. Nil for a code.
    package var enteredAt: Date?

    package init(application: String, scopes: String, record: SessionRecord, consented: String?) {
        (self.application, self.scopes, self.record, self.consented) = (application, scopes, record, consented)
    }
}

/// What came of a code or a refresh token.
package enum TokenExchange: Sendable {
    case granted(TokenGrant)
    /// It was used before. What it gave has ended, and the event is kept.
    case replayed(SecurityEvent)
    case refused

    package var grant: TokenGrant? {
        if case .granted(let grant) = self { grant } else { nil }
    }
}

/// The store's part of clients' tokens.
package protocol ClientTokenStore: Sendable {
    /// Spends the code by one statement that names all that has to be right, and keeps the tokens.
    /// A code that was spent before is replayed, any other is refused. Where the application does
    /// not admit the session it is spent and refused, and what was given before stays.
    func spendCode(_ redemption: CodeRedemption) async throws -> TokenExchange
    /// Puts a new refresh token in the place of the old one by one statement. It is replayed when
    /// it is not the family's newest, and refused when the application does not admit the session,
    /// which changes nothing.
    func rotate(_ rotation: RefreshRotation) async throws -> TokenExchange
    /// What an access token opens at that time; nil when it is unknown or has expired, or its
    /// session has ended.
    func accessGrant(_ digest: TokenDigest, at now: Date) async throws -> TokenGrant?
    /// Ends an access token of the client, or a family of refresh tokens with what it gave.
    func revokeToken(access: TokenDigest?, family: TokenDigest?, of application: String) async throws
}
