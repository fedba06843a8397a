/// A new password as typed, twice where the settings ask for that.
struct NewPassword: Sendable {
    let password: String
    let confirmation: String

    /// The password when it may be used. Throws `Refusals` with the reason.
    func judged(email: String, displayName: String?, _ needs: Needs) async throws -> Password {
        let (policy, isConfirmed) = (needs.passwordPolicy, needs.settings.passwordConfirmation)
        return try await offEventLoop {
            Result { () throws(Refusals) in
                let password = Password(password)
                if let refusal = policy.judge(password, email: email, displayName: displayName) {
                    throw Refusals([.password(refusal)])
                }
                guard !isConfirmed || password.matches(Password(confirmation)) else {
                    throw Refusals([.confirmationMismatch])
                }
                return password
            }
        }.get()
    }
}
