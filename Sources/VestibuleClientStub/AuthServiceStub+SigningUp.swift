import Foundation
public import VestibuleClient

extension AuthServiceStub {
    /// See `AuthService`.
    public func site() async throws -> Site {
        try await answer()
        guard let home = URL(string: "https://login.example.com") else { throw NetworkTrouble.strangeAnswer }
        return Site(
            name: "Example", tagline: "Sign in to continue, or create an account.",
            passwordMinLength: StubAccount.passwordMinLength,
            providers: [Site.Provider(id: "apple", label: "Apple")], termsURL: home.appending(path: "terms"),
            privacyURL: home.appending(path: "privacy"))
    }

    /// See `AuthService`.
    public func terms() async throws -> Terms {
        try await answer()
        return Terms(text: "Terms\n\nYou may use this site.")
    }

    /// By length alone.
    public func strength(of password: Secret, email: String, name: String) async throws -> PasswordStrength {
        try await answer()
        let labels = ["Very weak", "Weak", "Fair", "Good", "Strong"]
        let score = min(4, password.text.unicodeScalars.count / 4)
        let error = FieldError.newPassword(password)
        return PasswordStrength(score: score, label: labels[score], isAcceptable: error == nil, hint: error?.detail)
    }

    /// See `AuthService`.
    public func signUp(
        name: String, email: String, password: Secret, acceptsTerms: Bool
    ) async throws -> SignInOutcome {
        try await answer()
        let refusal = Refusal.all([
            .missing(.name, name, "Enter your name."), .address(email), .newPassword(password),
            .missing(.terms, acceptsTerms ? "accepted" : "", "Accept the terms to continue."),
        ])
        if let refusal { throw refusal }
        return .codeWanted(flow: begin(.signUp(name: name, password: password), email))
    }

    /// See `AuthService`.
    public func verifySignUp(flow: Secret, code: Secret) async throws -> SignInOutcome {
        try await answer()
        let begun = try redeem(flow, code)
        guard case .signUp(let name, let password) = begun.purpose else { throw Refusal.flowOver }
        guard accounts[begun.email] == nil else { throw Refusal.example(.duplicateEmail) }
        addAccount(name: name, email: begun.email, password: password)
        accounts[begun.email]?.awaitsTerms = begun.awaitsTerms
        return try enter(begun.email)
    }

    /// See `AuthService`.
    public func resendSignUpCode(flow: Secret) async throws {
        try await renew(flow)
    }

    /// See `AuthService`.
    public func requestReset(email: String) async throws -> Secret {
        try await answer()
        if let refusal = Refusal.all([.address(email)]) { throw refusal }
        return begin(.reset, email)
    }

    /// See `AuthService`.
    public func resendResetCode(flow: Secret) async throws {
        try await renew(flow)
    }

    /// See `AuthService`.
    public func reset(flow: Secret, code: Secret, password: Secret) async throws {
        try await answer()
        if let refusal = Refusal.all([.newPassword(password)]) { throw refusal }
        let begun = try redeem(flow, code)
        guard accounts[begun.email] != nil else { throw Refusal.example(.otpIncorrect) }
        accounts[begun.email]?.password = password
        failures[begun.email] = nil
        if signedIn == begun.email { endSession() }
    }
}
