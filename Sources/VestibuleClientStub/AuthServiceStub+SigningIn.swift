import Foundation
public import VestibuleClient

extension AuthServiceStub {
    /// See `AuthService`.
    public func restore() async throws -> SessionState {
        if signedIn != nil { try await answer() }
        return state
    }

    /// Ten wrong passwords an address, as a server has it.
    public func signIn(email: String, password: Secret) async throws -> SignInOutcome {
        try await answer()
        let refusal = Refusal.all([
            .address(email), .missing(.password, password.text, "Enter your password."),
        ])
        if let refusal { throw refusal }
        guard failures[email, default: 0] < 10 else { throw Refusal.example(.rateLimited) }
        guard let account = accounts[email], account.password == password else {
            failures[email, default: 0] += 1
            throw Refusal.example(.invalidCredentials)
        }
        failures[email] = nil
        guard account.methods.isEmpty else {
            let flow = begin(.secondStep, email)
            return .secondFactorWanted(SecondStep(flow: flow, methods: account.methods))
        }
        return try enter(email)
    }

    /// See `AuthService`.
    public func finishSignIn(_ step: SecondStep, with proof: FactorProof) async throws -> SignInOutcome {
        try await answer()
        guard let begun = flows[step.flow] else { throw Refusal.secondStepOver }
        guard begun.tries < 5 else { throw Refusal.secondStepEnded }
        do {
            try check(proof, of: begun.email)
        } catch let refusal as Refusal where refusal.code == .otpIncorrect {
            flows[step.flow]?.tries += 1
            throw begun.tries < 4 ? refusal : Refusal.secondStepOver
        }
        flows[step.flow] = nil
        return try enter(begun.email)
    }

    /// See `AuthService`.
    public func passkeyRequest() async throws -> PasskeyRequest {
        try await answer()
        return PasskeyRequest(relyingParty: "login.example.com", challenge: Data("challenge".utf8))
    }

    /// Signs in the first account with a passkey.
    public func signIn(
        with credential: PasskeyCredential, for request: PasskeyRequest
    ) async throws -> SignInOutcome {
        try await answer()
        guard let owner = accounts.values.first(where: { !$0.factors.passkeys.isEmpty }) else {
            throw Refusal(
                .invalidCredentials, "That passkey didn't work here. Try again, or sign in another way.", status: 401)
        }
        return try enter(owner.user.email)
    }

    /// See `AuthService`.
    public func providerNonce() async throws -> Secret {
        try await answer()
        return Secret("nonce-\(next())")
    }

    /// Signs in `apple@example.com`, which is somebody new at first.
    public func signIn(with credential: ProviderCredential, acceptsTerms: Bool) async throws -> SignInOutcome {
        try await answer()
        let email = "\(credential.provider)@example.com"
        if accounts[email] == nil {
            let name = [credential.firstName, credential.lastName].compactMap { $0 }.joined(separator: " ")
            let refusal = Refusal.all([
                .missing(.name, name, "Enter your name."),
                .missing(.terms, acceptsTerms ? "accepted" : "", "Accept the terms to continue."),
            ])
            if let refusal { throw refusal }
            addAccount(name: name, email: email, password: "")
        }
        return try enter(email)
    }

    /// See `AuthService`.
    public func signOut() async throws {
        (signedIn, _) = (nil, learn(.signedOut))
        try await answer()
    }

    /// Throws unless the proof is right. A recovery code is used up.
    func check(_ proof: FactorProof, of email: String) throws {
        let isRight =
            switch proof {
            case .appCode(""): throw Refusal.wrong(.code, "missing", "Enter the six digits from the app.")
            case .recoveryCode(""): throw Refusal.wrong(.code, "missing", "Enter a code.")
            case .appCode(let code): accounts[email]?.factors.totp != nil && code == Self.appCode
            case .recoveryCode(let code): accounts[email]?.recoveryCodes.remove(code) != nil
            case .passkey: accounts[email]?.methods.contains(.passkey) == true
            }
        guard isRight else { throw Refusal.secondCodeWrong }
    }
}
