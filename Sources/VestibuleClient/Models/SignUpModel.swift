public import Observation

/// The sign-up form, and the code from the mail.
@MainActor @Observable public final class SignUpModel: FormModel {
    /// Where somebody is.
    public enum Step: Sendable, Hashable {
        /// Name, address, password and consent.
        case form
        /// The code from the mail.
        case code
        /// The mailbox is proved, and its address has an account: sign in, or choose a new
        /// password.
        case exists
        /// No try is left: `startOver`.
        case over
        /// The account exists, and is signed in.
        case done(User)
    }

    /// Where somebody is.
    public private(set) var step = Step.form
    /// A new password; forgotten once the account exists.
    public var password = "" {
        didSet {
            mend(.password)
            meter.estimate(password, email: email, name: name)
        }
    }
    /// The password once more; nil where `Site` asks for it once.
    public var confirmation: String? = "" { didSet { mend(.confirmation) } }
    /// Consent to the terms.
    public var acceptsTerms = false { didSet { mend(.terms) } }
    /// The code from the mail.
    public var code = "" { didSet { mend(.code) } }
    /// How long another code has to wait.
    public let resendWait = Countdown()
    private let carried: CarriedFields
    private let meter: StrengthMeter
    @ObservationIgnored private var flow: Secret?

    /// `carried`: shared with the models of sign-in and reset.
    public init(_ service: any AuthService, carried: CarriedFields) {
        (self.carried, meter) = (carried, StrengthMeter(service))
        super.init(service)
    }

    /// What the person wants to be called.
    public var name: String {
        get { carried.name }
        set {
            carried.name = newValue
            mend(.name)
        }
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

    /// Asks for an account.
    public func submit() async {
        guard isRepeated(confirmation, of: password) else { return }
        await send {
            let outcome = try await service.signUp(
                name: name, email: email, password: Secret(password), acceptsTerms: acceptsTerms)
            if case .codeWanted(let flow) = outcome {
                (self.flow, step, code, notice) = (flow, .code, "", Sentences.codeSent)
            } else {
                follow(outcome)
            }
        }
    }

    /// Sends the code.
    public func submitCode() async {
        guard let flow else { return }
        await send {
            do {
                follow(try await service.verifySignUp(flow: flow, code: Secret(code)))
            } catch let refusal as Refusal where refusal.code == .duplicateEmail {
                step = .exists
                problem = refusal.sentence
            } catch let refusal as Refusal where refusal.isFlowEnded {
                step = .over
                throw refusal
            }
        }
    }

    /// Asks for another code.
    public func resend() async {
        guard let flow else { return }
        await send(waiting: resendWait) {
            try await service.resendSignUpCode(flow: flow)
            notice = Sentences.codeSentAgain
        }
    }

    /// Back to the form, with what was typed.
    public func startOver() {
        (step, flow, code, problem, notice, fieldErrors) = (.form, nil, "", nil, nil, [:])
    }

    private func follow(_ outcome: SignInOutcome) {
        guard case .signedIn(let user) = outcome else { return }
        (step, flow, password, confirmation, code) = (.done(user), nil, "", confirmation.map { _ in "" }, "")
    }
}
