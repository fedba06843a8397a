import ArgumentParser
import Essentials
import Foundation
import Vestibule

struct ShowUser: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account, how many sessions it has, and its last events.")

    @OptionGroup var options: AccountOptions

    private static let events = 20

    func run(_ account: Account, _ session: OperatorSession) async throws {
        let (summary, store) = (try await session.account(account.id), session.store)
        let sessions = try await store.sessions(accountID: account.id, now: Date()).count
        let factors = try await session.factors(of: account)
        let providers = try await session.providers(of: account)
        // Newest first.
        let events = try await store.latestEvents(accountID: account.id, kind: nil, limit: Self.events)
        let signIn = try await SignInCheck(
            account, store: store, settings: session.settings, key: session.knownSecretKey(),
            now: Date())
        var object = summary.json
        (object["sessions"], object["factors"], object["events"]) = (sessions, factors.json, events.map(\.json))
        (object["sign_in"], object["providers"]) = (signIn.json, providers.map(\.json))
        let lines = facts(summary, signIn.text(summary), providers.map(\.text), sessions, factors, events)
        try session.print(object, lines: lines + events.map(Self.line))
    }

    private func facts(
        _ summary: AccountSummary, _ signIn: String, _ providers: [String], _ sessions: Int,
        _ factors: ShownFactors, _ events: [AuditEntry]
    ) -> [String] {
        let account = summary.account
        let moments: [(String, Date?)] = [
            ("created", account.createdAt), ("verified", account.verifiedAt), ("disabled", account.disabledAt),
        ]
        let person = [
            ("address", account.email.typed), ("name", account.displayName), ("id", account.id.rawValue),
            ("state", summary.state),
        ]
        let rest = [
            ("password", summary.passwordScheme.map { "yes (\($0))" } ?? "no"), ("sign-in", signIn),
            ("providers", providers.isEmpty ? "none" : providers.joined(separator: ", ")),
            ("groups", account.groups.isEmpty ? "none" : account.groups.joined(separator: ", ")),
            ("terms", account.termsVersion ?? "not accepted"), ("language", account.locale),
            ("sessions", "\(sessions)"),
            ("factors", factors.text), ("events", events.isEmpty ? "none" : "the last, newest first (UTC)"),
        ]
        let facts = person + moments.map { ($0, $1.map { "\($0.utc) UTC" } ?? "no") } + rest
        return facts.map { $0.padding(toLength: 10, withPad: " ", startingAt: 0) + Printable.text($1) }
    }

    private static func line(_ entry: AuditEntry) -> String {
        "  \(entry.event.at.utc)  \(entry.what)  \(Printable.text(entry.origin))"
    }
}

/// What a right password meets, as the operator sees it.
extension SignInCheck {
    fileprivate var json: JSONObject {
        [
            "refused_by": obstacle?.rawValue, "failures_in_a_row": failuresInARow, "limited_until": limitedUntil,
        ]
    }

    fileprivate func text(_ summary: AccountSummary) -> String {
        let known = "works only in known browsers"
        let answer =
            switch obstacle {
            case .disabled: "refused: the account is disabled"
            case .unverified: "refused: the mailbox is not verified; \"Forgot password?\" or `users verify` does that"
            case .failuresInARow: "\(known), until a reset"
            case nil where summary.passwordScheme == nil: "no password: \"Forgot password?\" sets one"
            case nil: limitedUntil.map { "\(known), until \($0.utc) UTC (VESTIBULE_LIMIT_LOGIN)" } ?? "works"
            }
        guard let failuresInARow else { return "\(answer); failed attempts cannot be counted without the secret key" }
        return failuresInARow == 0 ? answer : "\(answer); failures in a row: \(failuresInARow)"
    }
}

/// An identity as the operator sees it: the provider, not who the owner is there.
private struct ShownProvider {
    let identity: Identity
    let label: String

    var json: JSONObject {
        [
            "provider": identity.provider, "label": label, "created_at": identity.createdAt,
            "last_used_at": identity.lastUsedAt,
        ]
    }

    var text: String { "\(label) (added \(identity.createdAt.utc) UTC)" }
}

extension OperatorSession {
    fileprivate func providers(of account: Account) async throws -> [ShownProvider] {
        try await store.identities(accountID: account.id).map {
            ShownProvider(identity: $0, label: providers.label($0.provider))
        }
    }
}

/// What an account has besides a password and providers, as the operator sees it.
private struct ShownFactors {
    let factors: AccountFactors
    /// Where the mail about their removal is; nil once it is sent.
    let notice: OutboxEntry.State?

    var json: JSONObject {
        [
            "passkeys": factors.passkeys.count, "authenticator_app": factors.totp != nil, "recovery_codes": codes,
            "others": others.isEmpty ? nil : others.map(\.rawValue),
            "removed_at": notice == .failed ? nil : factors.removalDueAt,
        ]
    }

    private var codes: Int { factors.recoveryCodes?.left ?? 0 }
    private var others: [SecondFactor] { factors.keys.map(\.kind).filter { ![.totp, .recoveryCode].contains($0) } }

    var text: String {
        let known = "passkeys \(factors.passkeys.count), app \(factors.totp == nil ? "no" : "yes"), codes \(codes)"
        let has = ([known] + others.map(\.rawValue)).joined(separator: ", ")
        return factors.removalDueAt.map { "\(has); \(removal(at: $0))" } ?? has
    }

    private func removal(at due: Date) -> String {
        switch notice {
        case nil: "removed at \(due.utc) UTC"
        case .waiting, .sending: "removed at \(due.utc) UTC, once the mail about it is sent"
        case .failed: "not removed: the mail about it failed, see `vestibule mail list`"
        }
    }
}

extension OperatorSession {
    fileprivate func factors(of account: Account) async throws -> ShownFactors {
        let factors = try await store.factors(accountID: account.id)
        guard let due = factors.removalDueAt else { return ShownFactors(factors: factors, notice: nil) }
        let notice = try await store.outboxEntry(id: FactorRemovalNotice.id(account.id, due: due))
        return ShownFactors(factors: factors, notice: notice?.state)
    }
}
