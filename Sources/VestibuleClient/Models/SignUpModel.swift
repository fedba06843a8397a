public import Observation

/// The sign-up form, and the code from the mail.
@MainActor @Observable public final class SignUpModel: NewPasswordModel {
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
        /// The account exists, and is signed in. If the terms have changed since the form was
        /// sent, the session's state is `termsWanted`.
        case done(User)
    }

    /// Where somebody is.
    public private(set) var step = Step.form
    /// Consent to the terms.
    public var acceptsTerms = false { didSet { mend(.terms) } }

    /// `carried`: shared with the models of sign-in and reset.
    public override init(_ service: any AuthService, carried: CarriedFields) {
        super.init(service, carried: carried)
    }

    /// What the person wants to be called.
    public var name: String {
        get { carried.name }
        set {
            carried.name = newValue
            mend(.name)
        }
    }

    override var typedName: String { name }

    /// Asks for an account.
    public func submit() async {
        guard isRepeated(confirmation, of: password) else { return }
        await send {
            let outcome = try await service.signUp(
                name: name, email: email, password: Secret(password), acceptsTerms: acceptsTerms)
            if case .codeWanted(let flow) = outcome {
                begin(flow)
                step = .code
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
            }
        }
    }

    override func end() {
        step = .over
    }

    override func resendCode(_ flow: Secret) async throws {
        try await service.resendSignUpCode(flow: flow)
    }

    /// Back to the form, with what was typed.
    public func startOver() {
        leaveCode()
        step = .form
    }

    private func follow(_ outcome: SignInOutcome) {
        switch outcome {
        case .signedIn(let user), .termsWanted(let user):
            finish()
            step = .done(user)
        case .codeWanted, .secondFactorWanted: return
        }
    }
}
