/// Without a session.
extension AuthClient {
    /// See `AuthService`.
    public func site() async throws -> Site {
        try await send(.getSite).value()
    }

    /// See `AuthService`.
    public func terms() async throws -> Terms {
        try await send(.getTerms).value()
    }

    /// See `AuthService`.
    public func strength(of password: Secret, email: String, name: String) async throws -> PasswordStrength {
        try await send(.estimatePassword, ["password": password, "email": email, "name": name]).value()
    }

    /// See `AuthService`.
    public func signUp(
        name: String, email: String, password: Secret, acceptsTerms: Bool
    ) async throws -> SignInOutcome {
        let answer = try await sendForToken(
            .signUp, ["name": name, "email": email, "password": password, "terms": acceptsTerms])
        if let session = try? answer.value(SessionAnswer.self) { return try enter(session) }
        return .codeWanted(flow: try answer.value(FlowAnswer.self).flow)
    }

    /// See `AuthService`.
    public func verifySignUp(flow: Secret, code: Secret) async throws -> SignInOutcome {
        try enter(try await sendForToken(.verifySignUp, ["flow": flow, "code": code]).value())
    }

    /// See `AuthService`.
    public func resendSignUpCode(flow: Secret) async throws {
        _ = try await send(.resendSignUpCode, ["flow": flow])
    }

    /// See `AuthService`.
    public func requestReset(email: String) async throws -> Secret {
        try await send(.requestPasswordReset, ["email": email]).value(FlowAnswer.self).flow
    }

    /// See `AuthService`.
    public func resendResetCode(flow: Secret) async throws {
        _ = try await send(.resendPasswordResetCode, ["flow": flow])
    }

    /// See `AuthService`.
    public func reset(flow: Secret, code: Secret, password: Secret) async throws {
        _ = try await send(.resetPassword, ["flow": flow, "code": code, "password": password])
    }
}
