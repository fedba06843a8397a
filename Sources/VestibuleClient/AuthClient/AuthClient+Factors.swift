extension AuthClient {
    /// See `AuthService`.
    public func factors() async throws -> Factors {
        try await send(.listFactors).value()
    }

    /// See `AuthService`.
    public func prove(_ proof: FactorProof) async throws {
        try await renew(.proveFactor, proof.body())
    }

    /// See `AuthService`.
    public func proofRequest() async throws -> PasskeyRequest {
        try await send(.askForProof).value()
    }

    /// See `AuthService`.
    public func beginAuthenticator(currentPassword: Secret?) async throws -> AuthenticatorSetup {
        try await send(.beginTOTP, ["current_password": currentPassword]).value()
    }

    /// See `AuthService`.
    public func confirmAuthenticator(
        _ setup: AuthenticatorSetup, code: Secret, currentPassword: Secret?
    ) async throws {
        try await renew(
            .confirmTOTP, ["setup": setup.setup, "code": code, "current_password": currentPassword])
    }

    /// See `AuthService`.
    public func removeAuthenticator(currentPassword: Secret?) async throws {
        try await renew(.removeTOTP, ["current_password": currentPassword])
    }

    /// See `AuthService`.
    public func makeRecoveryCodes(currentPassword: Secret?) async throws -> [Secret] {
        try await renew(.makeRecoveryCodes, ["current_password": currentPassword]).value(CodesAnswer.self).codes
    }

    /// See `AuthService`.
    public func newPasskeyRequest(currentPassword: Secret?) async throws -> PasskeyRequest {
        try await send(.askForNewPasskey, ["current_password": currentPassword]).value()
    }

    /// See `AuthService`.
    public func addPasskey(
        _ credential: PasskeyCredential, for request: PasskeyRequest, name: String?, currentPassword: Secret?
    ) async throws {
        let body: Body = [
            "challenge": request.handle, "credential": credential, "name": name, "current_password": currentPassword,
        ]
        try await renew(.addPasskey, body)
    }

    /// See `AuthService`.
    public func renamePasskey(id: String, to name: String, currentPassword: Secret?) async throws {
        _ = try await send(.renamePasskey, id: id, ["name": name, "current_password": currentPassword])
    }

    /// See `AuthService`.
    public func removePasskey(id: String, currentPassword: Secret?) async throws {
        try await renew(.removePasskey, id: id, ["current_password": currentPassword])
    }

    /// See `AuthService`.
    public func usePasskeyForSecondStep(id: String, currentPassword: Secret?) async throws {
        try await renew(.usePasskeyForSecondStep, id: id, ["current_password": currentPassword])
    }
}
