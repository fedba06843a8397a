public import Observation

/// A forgotten password: the address, then the code from the mail and a new password.
@MainActor @Observable public final class ResetModel: NewPasswordModel {
    /// Where somebody is.
    public enum Step: Sendable, Hashable {
        /// The address.
        case form
        /// The code and a new password.
        case choose
        /// No try is left: `startOver`.
        case over
        /// The password is set, and nobody is signed in: on to the sign-in, which has the address.
        case done
    }

    /// Where somebody is.
    public private(set) var step = Step.form

    /// `carried`: shared with the models of sign-in and sign-up.
    public override init(_ service: any AuthService, carried: CarriedFields) {
        super.init(service, carried: carried)
    }

    /// Asks for a code.
    public func submit() async {
        await send {
            begin(try await service.requestReset(email: email))
            step = .choose
        }
    }

    /// Sets the new password.
    public func submitPassword() async {
        guard let flow, isRepeated(confirmation, of: password) else { return }
        await send {
            try await service.reset(flow: flow, code: Secret(code), password: Secret(password))
            finish()
            (step, notice) = (.done, Sentences.passwordChanged)
        }
    }

    override func end() {
        step = .over
    }

    override func resendCode(_ flow: Secret) async throws {
        try await service.resendResetCode(flow: flow)
    }

    /// Back to the address.
    public func startOver() {
        leaveCode()
        step = .form
    }
}
