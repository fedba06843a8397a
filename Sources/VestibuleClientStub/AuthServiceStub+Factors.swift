import Foundation
public import VestibuleClient

extension AuthServiceStub {
    /// See `AuthService`.
    public func factors() async throws -> Factors {
        let account = try await own()
        var factors = account.factors
        factors.hasSecondStep = !account.methods.isEmpty
        if factors.recoveryCodes != nil {
            factors.recoveryCodes = RecoveryCodesLeft(left: account.recoveryCodes.count, createdAt: Date())
        }
        return factors
    }

    /// See `AuthService`.
    public func prove(_ proof: FactorProof) async throws {
        let account = try await own(termsMayWait: true)
        try check(proof, of: account.user.email)
        isProofOld = false
    }

    /// See `AuthService`.
    public func proofRequest() async throws -> PasskeyRequest {
        _ = try await own(termsMayWait: true)
        return try await passkeyRequest()
    }

    /// See `AuthService`.
    public func beginAuthenticator(currentPassword: Secret?) async throws -> AuthenticatorSetup {
        _ = try await ownProved(by: currentPassword)
        return AuthenticatorSetup(
            setup: Secret("setup-\(next())"), key: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
            uri: "otpauth://totp/Example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    }

    /// See `AuthService`.
    public func confirmAuthenticator(
        _ setup: AuthenticatorSetup, code: Secret, currentPassword: Secret?
    ) async throws {
        let account = try await ownProved(by: currentPassword)
        guard !code.text.isEmpty else {
            throw Refusal.wrong(.code, "missing", "Enter the six digits from the app.")
        }
        guard code == Self.appCode else {
            throw Refusal.wrong(
                .code, "incorrect",
                "That code isn't right. Enter the one your app shows now, and check your phone's clock.", .otpIncorrect)
        }
        _ = try change(account.user.email) { $0.factors.totp = AuthenticatorApp(createdAt: Date()) }
        isProofOld = false
    }

    /// See `AuthService`.
    public func removeAuthenticator(currentPassword: Secret?) async throws {
        let account = try await ownProved(by: currentPassword)
        guard account.factors.totp != nil else { throw Refusal.unknown }
        _ = try change(account.user.email) {
            $0.factors.totp = nil
            $0.endCodesWithoutFactor()
        }
    }

    /// See `AuthService`.
    public func makeRecoveryCodes(currentPassword: Secret?) async throws -> [Secret] {
        let account = try await ownProved(by: currentPassword)
        guard !account.methods.isEmpty else {
            throw Refusal(.validationFailed, "Add a second factor first.")
        }
        let codes = (0..<10).map { _ in Secret("abcde-\(10_000 + next())") }
        _ = try change(account.user.email) {
            $0.recoveryCodes = Set(codes)
            $0.factors.recoveryCodes = RecoveryCodesLeft(left: 10, createdAt: Date())
        }
        return codes
    }

    /// See `AuthService`.
    public func newPasskeyRequest(currentPassword: Secret?) async throws -> PasskeyRequest {
        let account = try await ownProved(by: currentPassword)
        return PasskeyRequest(
            relyingParty: "login.example.com", challenge: Data("challenge".utf8),
            owner: PasskeyRequest.Owner(id: Data(account.user.id.utf8), name: account.user.email))
    }

    /// See `AuthService`.
    public func addPasskey(
        _ credential: PasskeyCredential, for request: PasskeyRequest, name: String?, currentPassword: Secret?
    ) async throws {
        let account = try await ownProved(by: currentPassword)
        let passkey = Passkey(
            id: "passkey-\(next())", name: name ?? "Passkey", isSecondFactor: true, createdAt: Date())
        _ = try change(account.user.email) { $0.factors.passkeys.append(passkey) }
        isProofOld = false
    }

    /// See `AuthService`.
    public func renamePasskey(id: String, to name: String, currentPassword: Secret?) async throws {
        try await change(id, provedBy: currentPassword) { $0.name = name }
    }

    /// See `AuthService`.
    public func usePasskeyForSecondStep(id: String, currentPassword: Secret?) async throws {
        try await change(id, provedBy: currentPassword) { $0.isSecondFactor = true }
    }

    /// See `AuthService`.
    public func removePasskey(id: String, currentPassword: Secret?) async throws {
        let account = try await ownProved(by: currentPassword)
        guard account.factors.passkeys.contains(where: { $0.id == id }) else { throw Refusal.unknown }
        _ = try change(account.user.email) {
            $0.factors.passkeys.removeAll { $0.id == id }
            $0.endCodesWithoutFactor()
        }
    }

    private func change(
        _ id: String, provedBy password: Secret?, _ edit: (inout Passkey) -> Void
    ) async throws {
        let account = try await ownProved(by: password)
        guard let index = account.factors.passkeys.firstIndex(where: { $0.id == id }) else { throw Refusal.unknown }
        _ = try change(account.user.email) { edit(&$0.factors.passkeys[index]) }
    }
}

extension StubAccount {
    fileprivate mutating func endCodesWithoutFactor() {
        guard factors.totp == nil, factors.passkeys.isEmpty else { return }
        (recoveryCodes, factors.recoveryCodes) = ([], nil)
    }
}
