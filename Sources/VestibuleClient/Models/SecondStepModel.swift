public import Observation

/// The second step of a sign-in: one way at a time, and the names of the others.
@MainActor @Observable public final class SecondStepModel: FormModel {
    /// The way that is shown.
    public private(set) var method: SecondFactorMethod
    /// The code of the app, or a recovery code.
    public var code = "" { didSet { mend(.code) } }
    /// Whether no try is left: only a new sign-in helps.
    public private(set) var isOver = false
    private let waiting: SecondStep
    private let finish: @MainActor (SignInOutcome) -> Void

    /// `finish` is told what the step led to.
    public init(
        _ service: any AuthService, _ waiting: SecondStep, finish: @escaping @MainActor (SignInOutcome) -> Void
    ) {
        (self.waiting, self.finish) = (waiting, finish)
        method = waiting.methods.first ?? .totp
        super.init(service)
    }

    /// The other ways that the account has.
    public var others: [SecondFactorMethod] { waiting.methods.filter { $0 != method } }

    /// Shows another way.
    public func use(_ method: SecondFactorMethod) {
        guard waiting.methods.contains(method) else { return }
        (self.method, code, problem, fieldErrors) = (method, "", nil, [:])
    }

    /// Sends the code.
    public func submit() async {
        await prove(.code(Secret(code), method))
    }

    /// What a passkey is to sign; nil if that could not be asked for.
    public func passkeyRequest() async -> PasskeyRequest? {
        await ask { try await service.passkeyRequest() }
    }

    /// Sends what a passkey has signed.
    public func submit(_ credential: PasskeyCredential, for request: PasskeyRequest) async {
        await prove(.passkey(credential, for: request))
    }

    private func prove(_ proof: FactorProof) async {
        await send { finish(try await service.finishSignIn(waiting, with: proof)) }
    }

    override func end() {
        isOver = true
    }
}
