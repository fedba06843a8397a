import Essentials
import Foundation

/// A fresh proof by a provider, for somebody who is signed in to an account without a password. The
/// provider is asked to let them sign in anew; Apple cannot be asked, there the whole round trip
/// counts.
struct ProviderProof: Sendable {
    let store: any IdentityStore
    let sessions: Sessions

    /// Throws `ProviderFault` when the token tells of a sign-in from before, or of none: after
    /// `max_age` it has to (OpenID Connect Core, section 3.1.2.1).
    static func check(_ token: IDToken, _ flow: AuthFlow, isApple: Bool) throws(ProviderFault) {
        guard flow.wantsFreshSignIn, !isApple else { return }
        guard let moment = token.authenticatedAt else { throw .rejected("no auth_time") }
        guard moment > flow.startedAt.addingTimeInterval(-IDTokenClaims.skew) else {
            throw .rejected("signed in there too long ago")
        }
    }

    /// Renews the session when the identity is its account's. Throws `ProviderFault`, and
    /// `Superseded` when the session has ended.
    func accept(
        _ pending: PendingIdentity, _ sessionID: SessionID, _ record: SessionRecord?, visitor: Visitor
    ) async throws -> RenewedSession {
        guard let record, record.sessionID == sessionID else {
            throw ProviderFault.rejected("the session that began it has ended")
        }
        let owner = try await store.identity(issuer: pending.issuer, subject: pending.subject)?.account
        guard owner?.id == record.accountID else { throw ProviderFault.rejected("somebody else's identity") }
        return try await sessions.confirm(record, by: .provider, visitor: visitor)
    }
}
