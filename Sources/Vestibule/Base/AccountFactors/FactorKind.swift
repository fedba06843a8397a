import Essentials
import Foundation

/// A kind of second factor, as features that are not about it know it.
protocol FactorKind: Sendable {
    var factor: SecondFactor { get }
    /// Its word in keys of sentences, such as `factors.WORD` and `undo_factor.WORD`.
    var word: String { get }
    /// The key of the sentence that asks for its code.
    var question: String { get }
    /// What is to be noted as used if the attempt is right. Returns nil if it is wrong, of another
    /// kind, or of a factor that the account does not have.
    func use(
        _ attempt: FactorAttempt, of factors: AccountFactors, accountID: AccountID, visitor: Visitor
    ) async throws -> FactorUse?
    /// Its members in `GET factors`, or in the file with everything about an account.
    func facts(of factors: AccountFactors, inExport: Bool) -> [String: any Encodable]
    /// What is told of a use that was right; the factors are those before it.
    func news(of use: FactorUse, on factors: AccountFactors) -> FactorNews
}

extension FactorKind {
    var word: String { factor.rawValue }
    var question: String { "second.code_\(factor.rawValue)" }

    func facts(of factors: AccountFactors, inExport: Bool) -> [String: any Encodable] {
        factors.key(factor).map { [factor.rawValue: $0.facts] } ?? [:]
    }

    func news(of use: FactorUse, on factors: AccountFactors) -> FactorNews { FactorNews() }
}

/// What is told of a factor that was used.
struct FactorNews: Sendable {
    var events: [SecurityEvent.Kind] = []
    var mail: (kind: MailContent.Kind, values: [String: String])?
}

extension FactorKey {
    /// What its owner may see.
    var facts: JSONObject { ["created_at": createdAt, "last_used_at": lastUsedAt] }
}

/// All kinds there are, and how owners are told of them.
struct FactorKinds: Sendable {
    let all: [any FactorKind]
    let mailer: Mailer
    let audit: Audit

    /// Of the first kind that finds the attempt right.
    func use(
        _ attempt: FactorAttempt, of factors: AccountFactors, accountID: AccountID, visitor: Visitor
    ) async throws -> FactorUse? {
        for kind in all {
            let use = try await kind.use(attempt, of: factors, accountID: accountID, visitor: visitor)
            if let use { return use }
        }
        return nil
    }

    /// What is kept of a use that was right; the factors are those before it.
    func news(
        of use: FactorUse, on factors: AccountFactors, _ account: Account, visitor: Visitor
    ) throws -> (events: [SecurityEvent], mails: [QueuedMail]) {
        let news = all.first { $0.factor == use.factor }?.news(of: use, on: factors) ?? FactorNews()
        let mail = try news.mail.map { try mailer.mail($0.kind, to: account, $0.values, by: visitor) }
        return (news.events.map { audit.event($0, accountID: account.id, visitor: visitor) }, mail.map { [$0] } ?? [])
    }

    func facts(of factors: AccountFactors, inExport: Bool) -> JSONObject {
        all.flatMap { $0.facts(of: factors, inExport: inExport) }.reduce(into: [:]) { $0[$1.key] = $1.value }
    }
}
