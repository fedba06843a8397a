import Essentials
import Foundation
import PasswordHashing

/// What a new password must be: good enough, and the same twice where the settings ask for that.
struct NewPasswords: Sendable {
    let judge: PasswordJudge
    let asksTwice: Bool
    let now: @Sendable () -> Date

    /// Why it may not be used; empty when it may. `named` says how a refusal is worded: sign-up
    /// asks for a password, the others for a new one. Throws as `PasswordJudge.refusal` does.
    func refusals(
        _ new: NewPassword, email: String, displayName: String?, client: ClientAddress,
        named: (PasswordRefusal) -> Refusal = Refusal.newPassword
    ) async throws -> [Refusal] {
        let judged = try await judge.refusal(
            of: new.password, email: email, displayName: displayName, client: client, now: now())
        let repeated = asksTwice ? new.password.refusal(ofRepeated: new.confirmation) : nil
        return [judged.map(named), repeated].compactMap { $0 }
    }

    /// The password when it may be used. Throws `Refusals` with the reasons, and as
    /// `PasswordJudge.refusal` does.
    func judged(
        _ new: NewPassword, email: String, displayName: String?, client: ClientAddress
    ) async throws -> Password {
        let refusals = try await refusals(new, email: email, displayName: displayName, client: client)
        guard refusals.isEmpty else { throw Refusals(refusals) }
        return new.password
    }
}
