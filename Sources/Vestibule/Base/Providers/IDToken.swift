import Essentials
import Foundation
import JWTKit

/// A person as a provider vouches for them; every check of OpenID Connect Core section 3.1.3.7 is
/// done.
struct IDToken: Sendable {
    let claims: IDTokenClaims
    /// The client id it was made for.
    let audience: String
    /// When the person signed in there; nil if the provider does not say, names a time to come, or
    /// is Apple, which cannot be asked for a new sign-in.
    let authenticatedAt: Date?
    let digest: TokenDigest

    var email: EmailAddress? { claims.email?.value.flatMap(EmailAddress.vouched) }
    var name: String? { claims.name?.value }
    var isEmailVerified: Bool { claims.emailVerified?.value?.value ?? false }
    var expiresAt: Date { Date(timeIntervalSince1970: claims.exp + IDTokenClaims.skew) }
}

extension EmailAddress {
    /// The address that a provider vouches for. Nil also where marks of direction stand around it:
    /// people's typing has them, but to the provider it may be somebody else's.
    static func vouched(_ text: String) -> EmailAddress? {
        text.composed.isExactly(text.trimmedAndComposed) ? EmailAddress(text) : nil
    }
}

/// What is in an ID token, as it is written.
struct IDTokenClaims: JWTPayload {  // Parts: those of the token.
    let iss: String
    let sub: String
    let aud: OneOrMore
    let azp: String?
    let exp: Double
    let iat: Double
    let nbf: Double?
    let authTime: IfReadable<Double>?
    let nonce: String?
    let nonceSupported: LooseBool?
    let email: IfReadable<String>?
    let emailVerified: IfReadable<LooseBool>?
    let name: IfReadable<String>?

    private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, azp, exp, iat, nbf, nonce, email, name
        case authTime = "auth_time"
        case nonceSupported = "nonce_supported"
        case emailVerified = "email_verified"
    }

    /// Clocks may differ by this, in seconds.
    static let skew: TimeInterval = 60
    private static let subjectBytesAtMost = 255

    /// The claims are checked by `check`, which knows what is expected.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// When the person signed in there; nil for a time to come.
    func authenticatedAt(by now: Date) -> Date? {
        (authTime?.value).map { Date(timeIntervalSince1970: $0) }
            .flatMap { $0 < now.addingTimeInterval(Self.skew) ? $0 : nil }
    }

    /// Throws unless the token is `issuer`'s, for one of `audiences`, in time, and answers one of
    /// `nonces`. The client that asked for it (`azp`) must be one of `audiences` or of `apps`:
    /// Google's apps have client ids of their own. Any other is refused: everybody can get a nonce
    /// from this server, so another client of the provider could sign in here as its users.
    func check(
        issuer: String, audiences: [String], nonces: [String], apps: [String] = [], now: Date
    ) throws(ProviderFault) {
        guard iss.isExactly(issuer) else { throw .rejected("token of another issuer") }
        guard aud.all.contains(where: audiences.contains) else { throw .rejected("token for somebody else") }
        guard azp.map((audiences + apps).contains) ?? (aud.all.count == 1) else {
            throw .rejected("token given to somebody else")
        }
        let moment = now.timeIntervalSince1970
        guard exp > moment - Self.skew else { throw .rejected("token expired") }
        guard max(iat, nbf ?? iat) < moment + Self.skew, iat > moment - 86_400, exp - iat < 7 * 86_400 else {
            throw .rejected("token of another time")
        }
        // Only a provider that says so itself may leave the nonce out.
        guard nonce.map(nonces.contains) ?? false || (nonce == nil && nonceSupported?.value == false) else {
            throw .rejected("token answers another request")
        }
        // PostgreSQL stores no NUL: U+FFFD in its place could make it equal to another subject.
        guard !sub.isEmpty, !sub.utf8.contains(0), sub.utf8.count <= Self.subjectBytesAtMost else {
            throw .rejected("no usable subject")
        }
    }
}

/// A claim that may be left out, and counts as left out where it is of another type.
struct IfReadable<Value: Codable & Sendable>: Codable, Sendable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        value = try? decoder.singleValueContainer().decode(Value.self)
    }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}

/// One text or a list of them (RFC 7519 section 4.1.3).
struct OneOrMore: Codable, Sendable {
    let all: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        all = try (try? container.decode(String.self)).map { [$0] } ?? container.decode([String].self)
    }

    func encode(to encoder: any Encoder) throws {
        try all.encode(to: encoder)
    }
}

/// `true`, or as Apple writes it at times, `"true"`.
struct LooseBool: Codable, Sendable {
    let value: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = try (try? container.decode(Bool.self)) ?? (container.decode(String.self) == "true")
    }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}
