public import Observation

/// A forgotten password: the address, then the code from the mail and a new password.
@MainActor @Observable public final class ResetModel: FormModel {
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
    /// The code from the mail.
    public var code = "" { didSet { mend(.code) } }
    /// The new password; forgotten once it is set.
    public var password = "" {
        didSet {
            mend(.password)
            meter.estimate(password, email: email, name: "")
        }
    }
    /// The password once more; nil where `Site` asks for it once.
    public var confirmation: String? = "" { didSet { mend(.confirmation) } }
    /// How long another code has to wait.
    public let resendWait = Countdown()
    private let carried: CarriedFields
    private let meter: StrengthMeter
    @ObservationIgnored private var flow: Secret?

    /// `carried`: shared with the models of sign-in and sign-up.
    public init(_ service: any AuthService, carried: CarriedFields) {
        (self.carried, meter) = (carried, StrengthMeter(service))
        super.init(service)
    }

    /// The email address.
    public var email: String {
        get { carried.email }
        set {
            carried.email = newValue
            mend(.email)
        }
    }

    /// The strength of the password; nil while it is not known.
    public var strength: PasswordStrength? { meter.strength }

    /// Asks for a code.
    public func submit() async {
        await send {
            flow = try await service.requestReset(email: email)
            (step, code, notice) = (.choose, "", Sentences.codeSent)
        }
    }

    /// Sets the new password.
    public func submitPassword() async {
        guard let flow, isRepeated(confirmation, of: password) else { return }
        await send {
            do {
                try await service.reset(flow: flow, code: Secret(code), password: Secret(password))
            } catch let refusal as Refusal where refusal.isFlowEnded {
                step = .over
                throw refusal
            }
            (step, self.flow, code, password, confirmation) = (.done, nil, "", "", confirmation.map { _ in "" })
            notice = Sentences.passwordChanged
        }
    }

    /// Asks for another code.
    public func resend() async {
        guard let flow else { return }
        await send(waiting: resendWait) {
            try await service.resendResetCode(flow: flow)
            notice = Sentences.codeSentAgain
        }
    }

    /// Back to the address.
    public func startOver() {
        (step, flow, code, problem, notice, fieldErrors) = (.form, nil, "", nil, nil, [:])
    }
}
