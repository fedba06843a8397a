extension AuthClient {
    /// See `AuthService`.
    public func factors() async throws -> Factors {
        try await send(.listFactors).value()
    }

    /// See `AuthService`.
    public func prove(_ proof: FactorProof) async throws {
        try enter(try await send(.proveFactor, proof.body()).value())
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
    public func confirmAuthenticator(_ setup: AuthenticatorSetup, code: Secret) async throws {
        try enter(try await send(.confirmTOTP, ["setup": setup.setup, "code": code]).value())
    }

    /// See `AuthService`.
    public func removeAuthenticator(currentPassword: Secret?) async throws {
        try enter(try await send(.removeTOTP, ["current_password": currentPassword]).value())
    }

    /// See `AuthService`.
    public func makeRecoveryCodes(currentPassword: Secret?) async throws -> [Secret] {
        let answer = try await send(.makeRecoveryCodes, ["current_password": currentPassword])
        try enter(try answer.value())
        return try answer.value(CodesAnswer.self).codes
    }

    /// See `AuthService`.
    public func newPasskeyRequest() async throws -> PasskeyRequest {
        try await send(.askForNewPasskey).value()
    }

    /// See `AuthService`.
    public func addPasskey(
        _ credential: PasskeyCredential, for request: PasskeyRequest, name: String?
    ) async throws {
        let body: Body = ["challenge": request.handle, "credential": credential, "name": name]
        try enter(try await send(.addPasskey, body).value())
    }

    /// See `AuthService`.
    public func renamePasskey(id: String, to name: String) async throws {
        _ = try await send(.renamePasskey, id: id, ["name": name])
    }

    /// See `AuthService`.
    public func removePasskey(id: String, currentPassword: Secret?) async throws {
        try enter(try await send(.removePasskey, id: id, ["current_password": currentPassword]).value())
    }

    /// See `AuthService`.
    public func usePasskeyForSecondStep(id: String, currentPassword: Secret?) async throws {
        try enter(try await send(.usePasskeyForSecondStep, id: id, ["current_password": currentPassword]).value())
    }
}
