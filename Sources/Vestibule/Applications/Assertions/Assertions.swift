import Essentials
import Foundation

/// Tells an application who is behind a request: a signed token (ES256) for that application's
/// origin, good for 60 seconds. An application that forwards it gains nothing elsewhere.
struct Assertions: Sendable {
    let keys: SigningKeys
    /// The public URL.
    let issuer: String
    let random: Randomness
    let now: @Sendable () -> Date
    private let cache = AssertionCache()
    /// In seconds.
    static let lifetime: TimeInterval = 60

    /// An assertion about the person of a session; the same for 30 seconds while it would say the
    /// same.
    func assertion(for record: SessionRecord, audience: Origin) -> Lookup<String> {
        let key = AssertionCache.Key(record, audience)
        if let known = cache.text(key, record, at: now()) { return .known(known) }
        return .asks { try await sign(for: key, record) { claims(of: record, audience, at: $0) } }
    }

    /// An assertion about a machine; it names no person.
    func assertion(for token: MachineToken, audience: Origin) async throws -> String {
        let key = AssertionCache.Key(id: token.subject, audience: audience)
        if let known = cache.text(key, nil, at: now()) { return known }
        return try await sign(for: key, nil) {
            claims(sub: token.subject, audience, groups: [], amr: ["token"], at: $0)
        }
    }

    private func sign(
        for key: AssertionCache.Key, _ record: SessionRecord?, _ claims: (Date) -> AssertionClaims
    ) async throws -> String {
        let now = now()
        let text = try await keys.sign(claims(now))
        cache.keep(text, for: key, record, at: now)
        return text
    }

    private func claims(of record: SessionRecord, _ audience: Origin, at now: Date) -> AssertionClaims {
        let (session, account) = (record.session, record.account)
        var claims = claims(
            sub: account.id.rawValue, audience, groups: account.groups, amr: session.proof.methods, at: now)
        claims.sid = session.id.rawValue
        claims.email = account.email.ascii
        claims.isEmailVerified = account.verifiedAt != nil
        claims.name = account.displayName
        claims.authenticatedAt = Int(session.proof.at.timeIntervalSince1970)
        return claims
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
