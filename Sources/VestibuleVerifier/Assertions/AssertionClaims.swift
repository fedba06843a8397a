import Bytes
import Foundation

/// What an assertion says (RFC 7519 section 4.1, OpenID Connect Core sections 2 and 5.1). Its
/// signature is right.
struct AssertionClaims: Decodable {  // Parts: those of the token.
    let iss, aud, sub, jti: String
    /// Seconds since 1970.
    let iat, exp: Int
    let nbf: Int?
    let groups, amr: [String]
    // Of a person only.
    let sid, email, name: String?
    let isEmailVerified: Bool?
    /// Seconds since 1970.
    let authenticatedAt: Int?
    /// Seconds that the clock here may be behind.
    private static let clockBehindAtMost = 60.0

    enum CodingKeys: String, CodingKey {
        case iss, aud, sub, jti, iat, exp, nbf, groups, amr, sid, email, name
        case isEmailVerified = "email_verified"
        case authenticatedAt = "auth_time"
    }

    func check(issuer: String, audience: String, at now: Date) throws(AssertionError) {
        guard iss.isExactly(issuer) else { throw .refused("It was issued by another sign-in.") }
        guard aud.isExactly(audience) else { throw .refused("It is for another application.") }
        let now = now.timeIntervalSince1970
        guard Double(exp) > now else { throw .refused("It has expired.") }
        guard Double(max(iat, nbf ?? iat)) <= now + Self.clockBehindAtMost else {
            throw .refused("It is not good yet: the clock here is behind.")
        }
        guard !sub.isEmpty, sub.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .refused("Its subject is not an id.")
        }
    }
}

extension Identity {
    init(_ claims: AssertionClaims) throws(AssertionError) {
        self.init(
            id: claims.sub, person: claims.sub.begins(with: "token:") ? nil : try Person(claims),
            groups: claims.groups, methods: claims.amr,
            expiresAt: Date(timeIntervalSince1970: Double(claims.exp)))
    }
}

extension Identity.Person {
    fileprivate init(_ claims: AssertionClaims) throws(AssertionError) {
        guard let name = claims.name, let email = claims.email, let verified = claims.isEmailVerified,
            let session = claims.sid, let provedAt = claims.authenticatedAt
        else { throw .refused("It leaves out a claim about the person.") }
        self.init(
            name: name, email: email, isEmailVerified: verified, sessionID: session,
            provedAt: Date(timeIntervalSince1970: Double(provedAt)))
    }
}
