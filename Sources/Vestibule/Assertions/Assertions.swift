package import Essentials
package import Foundation

/// Tells an application who is behind a request: a signed token (ES256) for that application's
/// origin, good for 60 seconds. An application that forwards it gains nothing elsewhere.
package struct Assertions: Sendable {
    let keys: SigningKeys
    /// The public URL.
    let issuer: String
    let random: Randomness
    let now: @Sendable () -> Date
    private let cache = AssertionCache()
    /// In seconds.
    package static let lifetime: TimeInterval = 60

    package init(
        keys: SigningKeys, issuer: String, random: Randomness, now: @escaping @Sendable () -> Date
    ) {
        (self.keys, self.issuer) = (keys, issuer)
        (self.random, self.now) = (random, now)
    }

    /// An assertion about the person of a session; the same for 30 seconds while it would say the
    /// same.
    package func assertion(for record: SessionRecord, audience: Origin) async throws -> String {
        let (session, account) = (record.session, record.account)
        let facts = AssertionCache.Facts(account: account, provedAt: session.provedAt, provedBy: session.provedBy)
        return try await signed(AssertionCache.Key(id: session.id.rawValue, audience: audience), facts) { now in
            var claims = self.claims(
                sub: account.id.rawValue, audience, groups: account.groups, amr: session.provedBy.methods, at: now)
            claims.sid = session.id.rawValue
            claims.email = account.email.typed
            claims.isEmailVerified = account.verifiedAt != nil
            claims.name = account.displayName
            claims.authenticatedAt = Int(session.provedAt.timeIntervalSince1970)
            return claims
        }
    }

    /// An assertion about a machine; it names no person.
    package func assertion(for token: MachineToken, audience: Origin) async throws -> String {
        try await signed(AssertionCache.Key(id: token.subject, audience: audience), nil) { now in
            claims(sub: token.subject, audience, groups: [], amr: ["token"], at: now)
        }
    }

    private func signed(
        _ key: AssertionCache.Key, _ facts: AssertionCache.Facts?, _ claims: (Date) -> AssertionClaims
    ) async throws -> String {
        let now = now()
        if let known = cache.text(key, facts, at: now) { return known }
        let text = try await keys.sign(claims(now))
        cache.keep(text, for: key, facts, at: now)
        return text
    }

    private func claims(
        sub: String, _ audience: Origin, groups: [String], amr: [String], at now: Date
    ) -> AssertionClaims {
        let start = Int(now.timeIntervalSince1970)
        return AssertionClaims(
            iss: issuer, aud: audience.text, sub: sub, jti: random.id(), iat: start, exp: start + Int(Self.lifetime),
            groups: groups, amr: amr)
    }
}
