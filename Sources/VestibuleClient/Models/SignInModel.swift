public import Observation

/// The sign-in form, and what may follow it.
@MainActor @Observable public final class SignInModel: CarriedFormModel {
    /// Where somebody is.
    public enum Step {
        /// Address and password.
        case form
        /// A second factor is wanted.
        case secondStep(SecondStepModel)
        /// Somebody new, with Apple or another provider: `name` and `acceptsTerms`.
        case newPerson
        /// The terms have changed: `acceptTerms`, or `signOut`.
        case terms(User)
        /// Signed in.
        case done(User)
    }

    /// Where somebody is.
    public private(set) var step = Step.form
    /// The password; forgotten once somebody is signed in.
    public var password = "" { didSet { mend(.password) } }
    /// Consent of somebody new.
    public var acceptsTerms = false { didSet { mend(.terms) } }
    /// How long passkeys, Apple and other providers have to wait.
    public let otherWait = Countdown()
    @ObservationIgnored private var credential: ProviderCredential?

    /// `carried`: shared with the models of sign-up and reset.
    public override init(_ service: any AuthService, carried: CarriedFields) {
        super.init(service, carried: carried)
    }

    /// The name of somebody new.
    public var name: String {
        get { carried.name }
        set {
            carried.name = newValue
            mend(.name)
        }
    }

    /// Signs in with address and password.
    public func submit() async {
        await send { follow(try await service.signIn(email: email, password: Secret(password))) }
    }

    /// What a passkey is to sign; nil if that could not be asked for.
    public func passkeyRequest() async -> PasskeyRequest? {
        await ask(waiting: otherWait) { try await service.passkeyRequest() }
    }

    /// A nonce for Apple or another provider; nil if that could not be asked for.
    public func providerNonce() async -> Secret? {
        await ask(waiting: otherWait) { try await service.providerNonce() }
    }

    /// Signs in with a passkey.
    public func submit(_ credential: PasskeyCredential, for request: PasskeyRequest) async {
        await send(waiting: otherWait) { follow(try await service.signIn(with: credential, for: request)) }
    }

    /// Signs in with Apple or another provider; somebody new goes on at `newPerson`.
    public func submit(_ credential: ProviderCredential) async {
        self.credential = credential
        let told = [credential.firstName, credential.lastName].compactMap { $0 }.joined(separator: " ")
        if !told.isEmpty { name = told }
        await send(waiting: otherWait) {
            do {
                follow(try await service.signIn(with: credential, acceptsTerms: false))
            } catch let refusal as Refusal where refusal.fields.contains(where: { $0.field == "terms" }) {
                // Nothing was typed yet that could be wrong.
                step = .newPerson
            }
        }
    }

    /// Creates the account of somebody new.
    public func submitNewPerson() async {
        guard let credential else { return }
        await send(waiting: otherWait) {
            follow(try await service.signIn(with: credential.named(name), acceptsTerms: acceptsTerms))
        }
    }

    /// Accepts the terms as they are now.
    public func acceptTerms() async {
        guard case .terms(let user) = step else { return }
        await send {
            try await service.acceptTerms()
            // Not if the person has left meanwhile.
            if case .terms = step { step = .done(user) }
        }
    }

    /// Leaves instead of accepting the terms, whatever is under way or has to wait.
    public func signOut() async {
        await send(inAnyCase: true) { try await service.signOut() }
        startOver()
    }

    /// Back to the form.
    public func startOver() {
        (step, credential, acceptsTerms, problem, fieldErrors) = (.form, nil, false, nil, [:])
    }

    private func follow(_ outcome: SignInOutcome) {
        switch outcome {
        case .signedIn(let user): finish(.done(user))
        case .termsWanted(let user): finish(.terms(user))
        case .secondFactorWanted(let waiting):
            step = .secondStep(SecondStepModel(service, waiting) { [weak self] in self?.follow($0) })
        // Only a sign-up waits for a code.
        case .codeWanted: break
        }
    }

    private func finish(_ step: Step) {
        (self.step, credential, password) = (step, nil, "")
    }
}
