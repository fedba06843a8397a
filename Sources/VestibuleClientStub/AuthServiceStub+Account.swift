public import Foundation
public import VestibuleClient

extension AuthServiceStub {
    /// The account that is signed in. Throws as a server does: `termsRequired`, too, unless
    /// `termsMayWait`.
    func own(termsMayWait: Bool = false) async throws -> StubAccount {
        try await answer()
        guard let email = signedIn, let account = accounts[email] else { throw Refusal.example(.sessionExpired) }
        if account.awaitsTerms, !termsMayWait { throw Refusal.example(.termsRequired) }
        return account
    }

    /// The same for what takes a second factor of the last ten minutes, if the account has one.
    func ownProved(termsMayWait: Bool = false) async throws -> StubAccount {
        let account = try await own(termsMayWait: termsMayWait)
        if isProofOld, !account.methods.isEmpty { throw Refusal.secondProofNeeded(account.methods) }
        return account
    }

    /// The same for what takes a sign-in of the last ten minutes, or the current password.
    func ownProved(by password: Secret?, termsMayWait: Bool = false) async throws -> StubAccount {
        let account = try await ownProved(termsMayWait: termsMayWait)
        if isProofOld { try check(password, of: account) }
        return account
    }

    func change(_ email: String, _ change: (inout StubAccount) -> Void) throws -> User {
        guard var account = accounts.removeValue(forKey: email) else { throw Refusal.example(.sessionExpired) }
        change(&account)
        accounts[account.user.email] = account
        signedIn = account.user.email
        learn(.signedIn(account.user))
        return account.user
    }

    private func check(_ password: Secret?, of account: StubAccount) throws {
        guard account.hasPassword else {
            if isProofOld { throw Refusal.proofMissing }
            return
        }
        guard let password else { throw Refusal.example(.reauthenticationRequired) }
        guard password != account.password else { return }
        throw password.text.isEmpty
            ? Refusal.wrong(.currentPassword, "missing", "Enter your current password.")
            : .currentPasswordWrong
    }

    /// See `AuthService`.
    public func user() async throws -> User {
        try await own().user
    }

    /// See `AuthService`.
    public func deviceSessions() async throws -> [DeviceSession] {
        let account = try await own()
        let now = Date()
        let this = DeviceSession(
            id: "this", device: "App", address: "203.0.113.7", createdAt: now, lastSeenAt: now,
            expiresAt: now + 86_400, isCurrent: true)
        return [this] + account.devices
    }

    /// See `AuthService`.
    public func endSession(id: String, currentPassword: Secret?) async throws {
        let account = id == "this" ? try await ownProved() : try await ownProved(by: currentPassword)
        if id == "this" { return endSession() }
        guard account.devices.contains(where: { $0.id == id }) else { throw Refusal.unknown }
        accounts[account.user.email]?.devices.removeAll { $0.id == id }
    }

    /// See `AuthService`.
    public func endOtherSessions(currentPassword: Secret?) async throws {
        let account = try await ownProved(by: currentPassword)
        accounts[account.user.email]?.devices = []
    }

    /// See `AuthService`.
    public func rename(to name: String) async throws -> User {
        let account = try await own()
        if let refusal = Refusal.all([.missing(.name, name, "Enter your name.")]) { throw refusal }
        return try change(account.user.email) { $0.change(name: name) }
    }

    /// See `AuthService`.
    public func acceptTerms() async throws {
        try await answer()
        guard let email = signedIn else { throw Refusal.example(.sessionExpired) }
        _ = try change(email) { $0.awaitsTerms = false }
    }

    /// See `AuthService`.
    public func changePassword(to password: Secret, currentPassword: Secret) async throws {
        let account = try await ownProved()
        guard account.hasPassword else { throw Refusal.noPassword }
        try check(currentPassword, of: account)
        if let refusal = Refusal.all([.newPassword(password)]) { throw refusal }
        _ = try change(account.user.email) { ($0.password, $0.devices) = (password, []) }
        isProofOld = false
    }

    /// See `AuthService`.
    public func requestEmailChange(to email: String, currentPassword: Secret) async throws -> Secret {
        let account = try await ownProved()
        if let refusal = Refusal.all([.address(email)]) { throw refusal }
        try check(currentPassword, of: account)
        guard email != account.user.email else {
            throw Refusal.wrong(.email, "unchanged", "That's already your email address. Enter another one.")
        }
        return begin(.emailChange(of: account.user.email), email)
    }

    /// See `AuthService`.
    public func resendEmailChangeCode(flow: Secret) async throws {
        _ = try await ownProved()
        try await renew(flow)
    }

    /// See `AuthService`.
    public func changeEmail(flow: Secret, code: Secret) async throws -> User {
        let account = try await ownProved()
        let begun = try redeem(flow, code)
        guard case .emailChange(account.user.email) = begun.purpose else { throw Refusal.flowOver }
        guard accounts[begun.email] == nil else {
            throw Refusal.wrong(
                .email, "taken", "Another account uses this address now. Nothing was changed.", .duplicateEmail,
                status: 409)
        }
        return try change(account.user.email) { $0.change(email: begun.email) }
    }

    /// See `AuthService`.
    public func export(currentPassword: Secret?) async throws -> Data {
        let account = try await ownProved(by: currentPassword, termsMayWait: true)
        return try JSONEncoder().encode(["account": account.user])
    }

    /// See `AuthService`.
    public func deleteAccount(currentPassword: Secret) async throws {
        let account = try await ownProved(termsMayWait: true)
        try check(currentPassword, of: account)
        accounts[account.user.email] = nil
        (signedIn, _) = (nil, learn(.signedOut))
    }
}
