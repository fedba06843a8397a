import Essentials
import PasswordHashing

/// A new password as typed, twice where the settings ask for that.
struct NewPassword: Sendable {
    let password: String
    /// `nil` where nobody was asked to repeat it.
    let confirmation: String?

    /// The password when it may be used. Throws `Refusals` with the reasons, and as
    /// `PasswordJudge.refusal` does.
    func judged(email: String, displayName: String?, visitor: Visitor, _ needs: Needs) async throws -> Password {
        let password = Password(password)
        let judged = try await needs.passwordJudge.refusal(
            of: password, email: email, displayName: displayName, client: visitor.client, now: needs.now()
        ).map(Refusal.newPassword)
        let repeated = needs.settings.passwordConfirmation ? password.refusal(ofRepeated: confirmation) : nil
        let refusals = [judged, repeated].compactMap { $0 }
        guard refusals.isEmpty else { throw Refusals(refusals) }
        return password
    }
}
