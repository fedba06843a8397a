extension AuthClient {
    /// See `AuthService`.
    public func restore() async throws -> SessionState {
        loadAgain()
        guard let presented = try loadedToken() else { return state }
        do {
            let answer = try await send(.getSession).value(CurrentSessionAnswer.self)
            learn(answer.termsRequired ? .termsWanted(answer.user) : .signedIn(answer.user), with: presented)
        } catch let refusal as Refusal where refusal.code == .sessionExpired {
            // That is known by now.
        }
        return state
    }

    /// See `AuthService`.
    public func signIn(email: String, password: Secret) async throws -> SignInOutcome {
        try await enter(by: .signIn, ["email": email, "password": password])
    }

    /// See `AuthService`.
    public func finishSignIn(_ step: SecondStep, with proof: FactorProof) async throws -> SignInOutcome {
        try await enter(by: .signInSecond, proof.body(flow: step.flow))
    }

    /// See `AuthService`.
    public func passkeyRequest() async throws -> PasskeyRequest {
        try await send(.askForPasskey).value()
    }

    /// See `AuthService`.
    public func signIn(
        with credential: PasskeyCredential, for request: PasskeyRequest
    ) async throws -> SignInOutcome {
        try await enter(by: .signInWithPasskey, ["challenge": request.handle, "credential": credential])
    }

    /// See `AuthService`.
    public func providerNonce() async throws -> Secret {
        try await send(.makeNonce).value(NonceAnswer.self).nonce
    }

    /// See `AuthService`.
    public func signIn(with credential: ProviderCredential, acceptsTerms: Bool) async throws -> SignInOutcome {
        let name: Body = ["firstName": credential.firstName, "lastName": credential.lastName]
        let token: Body = ["token": credential.identityToken, "nonce": credential.nonce]
        return try await enter(
            by: .signInSocial,
            [
                "provider": credential.provider, "idToken": token, "authorizationCode": credential.authorizationCode,
                "user": ["name": name] as Body, "terms": acceptsTerms,
            ])
    }

    /// See `AuthService`.
    public func signOut() async throws {
        do {
            guard try loadedToken() != nil else { return }
            _ = try await send(.signOut)
        } catch let refusal as Refusal where refusal.code == .sessionExpired {
            // It was over.
        } catch {
            try leave(.signedOut)
            throw error
        }
        try leave(.signedOut)
    }

    private func enter(by operation: Operation, _ body: Body) async throws -> SignInOutcome {
        do {
            return try enter(try await sendForToken(operation, body).value())
        } catch let refusal as Refusal where refusal.code == .secondFactorRequired {
            guard let flow = refusal.flow else { throw refusal }
            return .secondFactorWanted(SecondStep(flow: flow, methods: refusal.methods))
        }
    }
}
