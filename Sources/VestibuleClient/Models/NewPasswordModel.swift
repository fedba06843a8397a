public import Observation

/// A form for a new password, and the code from the mail that goes with it: sign-up and reset.
@MainActor @Observable public class NewPasswordModel: CarriedFormModel {
    /// A new password; forgotten once it is set.
    public var password = "" {
        didSet {
            mend(.password)
            meter.estimate(password, email: email, name: typedName)
        }
    }
    /// The password once more; nil where `Site` asks for it once.
    public var confirmation: String? = "" { didSet { mend(.confirmation) } }
    /// The code from the mail.
    public var code = "" { didSet { mend(.code) } }
    /// How long another code has to wait.
    public let resendWait = Countdown()
    private let meter: StrengthMeter
    @ObservationIgnored var flow: Secret?

    override init(_ service: any AuthService, carried: CarriedFields) {
        meter = StrengthMeter(service)
        super.init(service, carried: carried)
    }

    /// The strength of the password; nil while it is not known.
    public var strength: PasswordStrength? { meter.strength }

    /// What a password must not be made of, besides the address.
    var typedName: String { "" }

    /// Asks for another code.
    public func resend() async {
        guard let flow else { return }
        await send(waiting: resendWait) {
            try await resendCode(flow)
            notice = Sentences.codeSentAgain
        }
    }

    func resendCode(_ flow: Secret) async throws {}

    func begin(_ flow: Secret) {
        (self.flow, code, notice) = (flow, "", Sentences.codeSent)
    }

    /// Forgets password and code.
    func finish() {
        (flow, password, confirmation, code) = (nil, "", confirmation.map { _ in "" }, "")
    }

    /// Forgets the code, and what was said; what was typed into the form stays.
    func leaveCode() {
        (flow, code, problem, notice, fieldErrors) = (nil, "", nil, nil, [:])
    }
}
