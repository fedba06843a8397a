/// A new password as typed, twice where the settings ask for that.
struct NewPassword: Sendable {
    let password: String
    let confirmation: String

    /// The password when it may be used. Throws `Refusals` with the reason, and as `PasswordJudge.refusal` does.
    func judged(email: String, displayName: String?, visitor: Visitor, _ needs: Needs) async throws -> Password {
        let password = Password(password)
        let refusal = try await needs.passwordJudge.refusal(
            of: password, email: email, displayName: displayName, client: visitor.client, now: needs.now()
        )
        if let refusal { throw Refusals([.password(refusal)]) }
        guard !needs.settings.passwordConfirmation || password.matches(Password(confirmation)) else {
            throw Refusals([.confirmationMismatch])
        }
        return password
    }
}
