package import Essentials
package import Foundation

/// A signed-in browser or app.
package struct Session: Sendable, Equatable {
    /// How many an account may have: one more ends the one seen least lately.
    package static let mostPerAccount = 100
    /// Where there is less room, each login looks for sessions that have to end. So that many
    /// logins at once do not exceed the most; more of them do, until the next one.
    package static let roomToSpare = 10

    /// Names the session on pages; opens nothing.
    package let id: SessionID
    package let accountID: AccountID
    package let lifetime: Lifetime
    package private(set) var proof: Proof
    /// Raised terms must be accepted before anything else.
    package let awaitsTerms: Bool
    /// The account has no second factor. Holds the session back while the site requires one.
    package private(set) var awaitsFactor: Bool
    package let userAgent: String
    /// Nil if unknown.
    package let address: IPAddress?

    package init(
        id: SessionID, accountID: AccountID, lifetime: Lifetime, proof: Proof, awaitsTerms: Bool,
        awaitsFactor: Bool = false, userAgent: String, address: IPAddress?
    ) {
        (self.id, self.accountID, self.lifetime, self.proof) = (id, accountID, lifetime, proof)
        (self.awaitsTerms, self.awaitsFactor) = (awaitsTerms, awaitsFactor)
        (self.userAgent, self.address) = (userAgent, address)
    }

    func renewed(_ renewal: SessionRenewal) -> Session {
        var session = self
        session.proof = renewal.proof
        return session
    }

    /// The session under the present settings: it waits for a factor only while one is required.
    func current(requiresFactor: Bool) -> Session {
        var session = self
        session.awaitsFactor = awaitsFactor && requiresFactor
        return session
    }

    /// Whether something has to be done before anything else is opened.
    var isHeldBack: Bool { awaitsTerms || awaitsFactor }

    /// Whether it still opens anything. One that begins more than a day from now was made before
    /// the clock was set back, and would live too long.
    package func isAlive(at now: Date) -> Bool {
        lifetime.createdAt.timeIntervalSince(now) < 86_400 && now < lifetime.expiresAt
            && now < lifetime.lastSeenAt.addingTimeInterval(lifetime.idle.seconds)
    }

    /// When the session began, and when it ends.
    package struct Lifetime: Sendable, Equatable {
        package let createdAt: Date
        package let lastSeenAt: Date
        /// Ends when unused for this long.
        package let idle: Duration
        /// Ends then in any case.
        package let expiresAt: Date
        /// "Keep me signed in".
        package let remembered: Bool

        package init(createdAt: Date, lastSeenAt: Date, idle: Duration, expiresAt: Date, remembered: Bool) {
            (self.createdAt, self.lastSeenAt, self.idle) = (createdAt, lastSeenAt, idle)
            (self.expiresAt, self.remembered) = (expiresAt, remembered)
        }

        /// In seconds, of a cookie that is set now; nil means until the browser is closed.
        func cookieAge(at now: Date) -> Int? {
            remembered ? Int(expiresAt.timeIntervalSince(now)) : nil
        }
    }

    /// How its owner last proved who they are, the sign-in included.
    package struct Proof: Sendable, Equatable {
        package let at: Date
        package let by: FirstFactor
        /// What was proved besides, at sign-in or since. Nil if nothing was.
        package let secondFactor: SecondFactor?
        /// How long it counts, in seconds.
        static let lifetime: TimeInterval = 600

        package init(at: Date, by: FirstFactor = .password, secondFactor: SecondFactor? = nil) {
            (self.at, self.by, self.secondFactor) = (at, by, secondFactor)
        }

        /// Whether it was given lately. One that lies more than a minute in the future does not
        /// count: the clock was set back since.
        func isFresh(at now: Date) -> Bool {
            (-60..<Self.lifetime).contains(now.timeIntervalSince(at))
        }
    }
}

/// How somebody proved who they are, before any second factor; raw values are stored.
package enum FirstFactor: String, Sendable, CaseIterable {
    case password
    /// A provider vouched.
    case provider
    /// A passkey, which is both factors at once.
    case passkey
}

/// What proves a person besides the password, the strongest first; raw values are stored, and name
/// pages and sentences.
package enum SecondFactor: String, Sendable, CaseIterable {
    case passkey
    /// A code of an authenticator app (TOTP, RFC 6238).
    case totp
    case recoveryCode = "recovery_code"
}

/// A session about to be stored, with the digest of the token that opens it.
package struct NewSession: Sendable {
    package let session: Session
    package let tokenDigest: TokenDigest
    /// The token of the browser's session before, which opens nothing any more. If that session is
    /// alive and of the same account, it goes on under its id, else it ends.
    package let replaces: TokenDigest?

    package init(session: Session, tokenDigest: TokenDigest, replaces: TokenDigest?) {
        self.session = session
        self.tokenDigest = tokenDigest
        self.replaces = replaces
    }

    package var accountID: AccountID { session.accountID }
}

/// What to look for on the way to a session: whether an account has passkeys that are second
/// factors, and whether it has anything else, recovery codes not counted.
package struct FactorPresence: OptionSet, Sendable {
    package let rawValue: Int
    package static let passkey = FactorPresence(rawValue: 1)
    package static let key = FactorPresence(rawValue: 2)

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// A session's new token, after its owner has proved again who they are; the old token opens
/// nothing any more.
package struct SessionRenewal: Sendable {
    package let sessionID: SessionID
    /// The token the request came with: of two requests at once, one renews.
    package let replaces: TokenDigest
    package let tokenDigest: TokenDigest
    package let proof: Session.Proof
    /// See `SessionRecord.absent`.
    package var absent: FactorPresence = []
    /// The held form that the proof was for; the session's other held forms are deleted, as a
    /// person with a copy of the old token may have sent them.
    package var heldForm: TokenDigest?
}

/// A session after its owner has proved again who they are, and its new token.
struct RenewedSession: Sendable {
    let session: Session
    let token: Token
}

/// How long sessions live, without and with "keep me signed in".
struct SessionLifetimes: Sendable {
    var idle: Duration
    var absolute: Duration
    var rememberedIdle: Duration
    var rememberedAbsolute: Duration
}
