public import Foundation

/// What somebody signed in does with the account.
extension AuthClient {
    /// See `AuthService`.
    public func user() async throws -> User {
        let presented = token
        let user = try await send(.getUser).value(UserAnswer.self).user
        learn(.signedIn(user), with: presented)
        return user
    }

    /// See `AuthService`.
    public func deviceSessions() async throws -> [DeviceSession] {
        try await send(.listSessions).value(SessionsAnswer.self).sessions
    }

    /// See `AuthService`.
    public func endSession(id: String, currentPassword: Secret?) async throws {
        _ = try await send(.endSession, id: id, ["current_password": currentPassword])
    }

    /// See `AuthService`.
    public func endOtherSessions(currentPassword: Secret?) async throws {
        try await renew(.endOtherSessions, ["current_password": currentPassword])
    }

    /// See `AuthService`.
    public func rename(to name: String) async throws -> User {
        let presented = token
        let user = try await send(.changeUser, ["name": name]).value(UserAnswer.self).user
        learn(.signedIn(user), with: presented)
        return user
    }

    /// See `AuthService`.
    public func acceptTerms() async throws {
        let presented = token
        _ = try await send(.acceptTerms, ["terms": true])
        if case .termsWanted(let user) = state { learn(.signedIn(user), with: presented) }
    }

    /// See `AuthService`.
    public func changePassword(to password: Secret, currentPassword: Secret) async throws {
        try await renew(.changePassword, ["current_password": currentPassword, "password": password])
    }

    /// See `AuthService`.
    public func requestEmailChange(to email: String, currentPassword: Secret) async throws -> Secret {
        try await send(.requestEmailChange, ["email": email, "current_password": currentPassword])
            .value(FlowAnswer.self).flow
    }

    /// See `AuthService`.
    public func resendEmailChangeCode(flow: Secret) async throws {
        _ = try await send(.resendEmailChangeCode, ["flow": flow])
    }

    /// See `AuthService`.
    public func changeEmail(flow: Secret, code: Secret) async throws -> User {
        try await renew(.changeEmail, ["flow": flow, "code": code]).value(UserAnswer.self).user
    }

    /// See `AuthService`.
    public func export(currentPassword: Secret?) async throws -> Data {
        try await send(.exportUser, ["current_password": currentPassword]).body
    }

    /// See `AuthService`.
    public func deleteAccount(currentPassword: Secret) async throws {
        _ = try await send(.deleteUser, ["current_password": currentPassword])
        try leave(.signedOut)
    }
}
