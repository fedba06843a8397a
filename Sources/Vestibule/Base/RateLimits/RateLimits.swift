import Essentials
import Foundation
import PasswordHashing
import Synchronization

/// Counts what visitors do and refuses what is too much; remembers refused keys so that floods cost
/// no writes.
final class RateLimits: Sendable {
    /// A guarded action; each has its own counters. Features declare theirs.
    struct Action: Sendable, Hashable {
        let name: String
        /// What counts as one address.
        let counts: Counted

        enum Counted: Sendable {
            /// Each address by itself, where an account is guarded.
            case addresses
            /// All addresses of one mailbox together, where a mail is sent.
            case mailboxes
        }

        init(_ name: String, counts: Counted) {
            self.name = name
            self.counts = counts
        }
    }

    private let store: any RateLimitStore
    private let key: SecretKey
    private let limits: [Action: [Limit]]
    private let refused = Mutex<[[UInt8]: Date]>([:])
    private static let rememberedAtMost = 10_000

    init(store: any RateLimitStore, key: SecretKey, limits: [Action: [Limit]]) {
        self.store = store
        self.key = key
        self.limits = limits.mapValues(Self.distinct)
    }

    /// Limits of one name share a counter: only the first is kept, so that one use counts once.
    private static func distinct(_ limits: [Limit]) -> [Limit] {
        limits.reduce(into: []) { kept, limit in
            if !kept.contains(where: { $0.name == limit.name }) { kept.append(limit) }
        }
    }

    /// Counts one use by the subject or, once limits of its own are used up, as a stranger's. See
    /// `take(_:firstOf:and:now:)`.
    @discardableResult
    func take(_ action: Action, _ subject: LimitSubject, now: Date) async throws -> [LimitClaim] {
        try await take(action, firstOf: subject.choices, now: now)
    }

    /// Counts one use by the first of the subjects for which no limit is used up. Throws
    /// `Refusal.limited` when there is none; then nothing is counted. Returns what counts failed
    /// tries only, by address or device, which a success gives back; `others`, which are taken
    /// together with it, are of that kind.
    func take(
        _ action: Action, firstOf subjects: [LimitSubject], and others: [LimitClaim] = [], now: Date
    ) async throws -> [LimitClaim] {
        let taken = try await take(firstOf: subjects.map { claims(action, $0) + others }, now: now)
        let attempts = subjects.flatMap { claims(action, LimitSubject(client: $0.client)) }
        return taken.filter { !attempts.contains($0) }
    }

    /// Takes the first of these of which none is used up, and returns it. Throws `Refusal.limited`
    /// when there is none, until the first of them would be granted.
    @discardableResult
    func take(firstOf choices: [[LimitClaim]], now: Date) async throws -> [LimitClaim] {
        var refusals: [(until: Date, name: String)] = []
        for claims in choices {
            do {
                try await take(claims, now: now)
                return claims
            } catch Refusal.limited(let until, let name) {
                refusals.append((until, name))
            }
        }
        let first = refusals.min { $0.until < $1.until }
        throw Refusal.limited(until: first?.until ?? now, by: first?.name ?? "")
    }

    func take(_ claims: [LimitClaim], now: Date) async throws {
        guard !claims.isEmpty else { return }
        try await taking(claims, now: now) {
            if let refusal = try await store.take(claims, now: now) { throw refusal }
        }
    }

    /// Does what takes the claims on its way, and throws `LimitRefusal` when one is refused. Throws
    /// `Refusal.limited` then, and before when a limit is known to be used up.
    func taking<Value>(_ claims: [LimitClaim], now: Date, _ write: () async throws -> Value) async throws -> Value {
        try check(claims, now: now)
        do {
            return try await write()
        } catch let refusal as LimitRefusal {
            remember(refusal, now: now)
            throw Refusal.limited(until: refusal.until, by: claims.first { $0.key == refusal.key }?.name ?? "")
        }
    }

    /// What `hash` returns. When the queue of hashing is full, nothing was tried: `claims` are
    /// given back.
    func unlessBusy<Value>(_ claims: [LimitClaim], _ hash: () async throws -> Value) async throws -> Value {
        do {
            return try await hash()
        } catch let busy as HashingBusy {
            try await giveBack(claims)
            throw busy
        }
    }

    func giveBack(_ claims: [LimitClaim]) async throws {
        try await store.giveBack(claims)
        forget(claims)
    }

    /// Counts nothing. Throws `Refusal.limited` when a limit is known to be used up, so that work
    /// may be saved.
    func check(_ claims: [LimitClaim], now: Date) throws(Refusal) {
        if let (until, name) = remembered(claims, now: now) { throw .limited(until: until, by: name) }
    }

    /// What one use of an action costs its subject.
    func claims(_ action: Action, _ subject: LimitSubject) -> [LimitClaim] {
        limits[action, default: []].flatMap { limit in
            let burst = Int64(limit.period.components.seconds * 1000)
            return subject.counted(by: limit.key, action).map { text, share in
                let name = Array("\(action.name) \(limit.name) \(text)".utf8)
                return LimitClaim(
                    key: Array(key.mac(.limit, name).prefix(16)),
                    interval: max(1, burst / Int64(limit.amount * share)), burst: burst,
                    countsEverybody: limit.key == .all, name: "\(action.name)/\(limit.text)"
                )
            }
        }
    }

    /// Claims were given back: what was remembered about them no longer holds.
    func forget(_ claims: [LimitClaim]) {
        refused.withLock { refused in
            for claim in claims { refused[claim.key] = nil }
        }
    }

    /// Until when, and by which limit.
    private func remembered(_ claims: [LimitClaim], now: Date) -> (Date, String)? {
        refused.withLock { refused in
            claims.compactMap { claim in
                // What lies further ahead than a burst was remembered by a clock that has been put
                // back.
                let limit = now.addingTimeInterval(Double(claim.burst) / 1000)
                return refused[claim.key].flatMap { $0 > now && $0 <= limit ? ($0, claim.name) : nil }
            }.max { $0.0 < $1.0 }
        }
    }

    private func remember(_ refusal: LimitRefusal, now: Date) {
        refused.withLock { refused in
            if refused.count >= Self.rememberedAtMost { refused = refused.filter { $0.value > now } }
            if refused.count < Self.rememberedAtMost { refused[refusal.key] = refusal.until }
        }
    }
}

extension RateLimits.Action {
    /// A password, or a token of a provider, that was tried.
    static let login = Self("login", counts: .addresses)
    /// An account, or an address for one, that was asked for.
    static let signup = Self("signup", counts: .mailboxes)
    static let reset = Self("reset", counts: .mailboxes)
    /// Beginning a sign-in through a provider.
    static let provider = Self("provider", counts: .addresses)
    static let verify = Self("verify", counts: .addresses)
    static let mail = Self("mail", counts: .mailboxes)
    /// Mails that known browsers ask for: counted apart, so that strangers cannot use them up.
    static let knownMail = Self("known_mail", counts: .mailboxes)
    /// The same of browsers that were known before the password was replaced: those of a thief must
    /// not use up what the owner's have, nor the other way round.
    static let formerMail = Self("former_mail", counts: .mailboxes)
    /// A wrong secret, code or refresh token of a client of OpenID Connect.
    static let client = Self("client", counts: .addresses)
    /// A current password that was tried in a session.
    static let proof = Self("proof", counts: .addresses)
    /// A new name of a person.
    static let rename = Self("rename", counts: .addresses)
    /// A file of everything held about an account.
    static let export = Self("export", counts: .addresses)
    /// A second factor that is added, and recovery codes that are made.
    static let factorAddition = Self("factor_addition", counts: .addresses)
    /// A passkey that a browser made by itself.
    static let passkeyUpgrade = Self("passkey_upgrade", counts: .addresses)
    /// A way to sign in at a provider that is added.
    static let identityAddition = Self("identity_addition", counts: .addresses)
    /// A new address that somebody signed in asks for.
    static let emailChange = Self("email_change", counts: .addresses)
    /// A new password of somebody signed in.
    static let passwordChange = Self("password_change", counts: .addresses)
    /// What an application may see.
    static let consent = Self("consent", counts: .addresses)
}
