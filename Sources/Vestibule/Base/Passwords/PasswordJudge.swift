import Essentials
import Foundation
import PasswordHashing

/// Judges new passwords: first a limit by network address, kept in memory, then one estimate, in
/// the hashing line and so on its threads.
final class PasswordJudge: Sendable {
    private let policy: PasswordPolicy
    private let hasher: PasswordHasher
    /// Nobody corrects a form twice a second, and a whole office may share an address.
    private let forms = MemoryLimit(amount: 120, period: .seconds(60))
    /// Counted by itself: a meter that was used up must refuse no form.
    private let meters = MemoryLimit(amount: 120, period: .seconds(60))

    init(policy: PasswordPolicy, hasher: PasswordHasher) {
        self.policy = policy
        self.hasher = hasher
    }

    /// Why the person may not use the password of a form; `nil` when it is good. Throws
    /// `Refusal.limited`, whatever is wrong with the form, and as `PasswordHasher.hash` does.
    func refusal(
        of password: Password, email: String, displayName: String?, client: ClientAddress, now: Date
    ) async throws -> PasswordRefusal? {
        try forms.take(client, now: now)
        if let refusal = policy.refusalByLength(password) { return refusal }
        return try await hasher.enqueue(client: client.bucket) { [policy] in
            policy.judge(password, email: email, displayName: displayName)
        }
    }

    /// What a meter shows. Throws as `refusal` does.
    func assessment(
        of password: Password, email: String, displayName: String?, client: ClientAddress, now: Date
    ) async throws -> PasswordAssessment {
        try meters.take(client, now: now)
        return try await hasher.enqueue(client: client.bucket) { [policy] in
            policy.assess(password, email: email, displayName: displayName)
        }
    }
}
