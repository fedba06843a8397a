import Foundation
import VestibuleClient

/// Each method of the client that asks a server something, once. Ids are `{id}`, as in the
/// description.
let everyCall: [@Sendable (AuthClient) async throws -> Void] = [
    { _ = try await $0.site() },
    { _ = try await $0.terms() },
    { _ = try await $0.strength(of: .good, email: "", name: "") },
    { _ = try await $0.signUp(name: "Ada", email: "ada@example.com", password: .good, acceptsTerms: true) },
    { _ = try await $0.verifySignUp(flow: "flow", code: "123456") },
    { try await $0.resendSignUpCode(flow: "flow") },
    { _ = try await $0.signIn(email: "ada@example.com", password: .good) },
    { _ = try await $0.finishSignIn(SecondStep(flow: "flow", methods: [.totp]), with: .appCode("123456")) },
    { _ = try await $0.passkeyRequest() },
    { _ = try await $0.signIn(with: signature, for: challenge) },
    { _ = try await $0.providerNonce() },
    { _ = try await $0.signIn(with: ProviderCredential(identityToken: "a", nonce: "b"), acceptsTerms: true) },
    { try await $0.signOut() },
    { _ = try await $0.restore() },
    { _ = try await $0.requestReset(email: "ada@example.com") },
    { try await $0.resendResetCode(flow: "flow") },
    { try await $0.reset(flow: "flow", code: "123456", password: .good) },
    { _ = try await $0.user() },
    { _ = try await $0.deviceSessions() },
    { try await $0.endSession(id: "{id}", currentPassword: nil) },
    { try await $0.endOtherSessions(currentPassword: nil) },
    { _ = try await $0.rename(to: "Ada") },
    { try await $0.acceptTerms() },
    { try await $0.changePassword(to: .other, currentPassword: .good) },
    { _ = try await $0.requestEmailChange(to: "ada@example.com", currentPassword: .good) },
    { try await $0.resendEmailChangeCode(flow: "flow") },
    { _ = try await $0.changeEmail(flow: "flow", code: "123456") },
    { _ = try await $0.export(currentPassword: nil) },
    { try await $0.deleteAccount(currentPassword: .good) },
    { _ = try await $0.factors() },
    { try await $0.prove(.appCode("123456")) },
    { _ = try await $0.proofRequest() },
    { _ = try await $0.beginAuthenticator(currentPassword: nil) },
    { try await $0.confirmAuthenticator(setup, code: "123456", currentPassword: nil) },
    { try await $0.removeAuthenticator(currentPassword: nil) },
    { _ = try await $0.makeRecoveryCodes(currentPassword: nil) },
    { _ = try await $0.newPasskeyRequest(currentPassword: nil) },
    { try await $0.addPasskey(signature, for: challenge, name: "Phone", currentPassword: nil) },
    { try await $0.renamePasskey(id: "{id}", to: "Phone", currentPassword: nil) },
    { try await $0.removePasskey(id: "{id}", currentPassword: nil) },
    { try await $0.usePasskeyForSecondStep(id: "{id}", currentPassword: nil) },
]

private let setup = AuthenticatorSetup(setup: "a", key: "b", uri: "c")
private let challenge = PasskeyRequest(relyingParty: "login.example.com", challenge: Data([1]))
private let signature = PasskeyCredential(
    id: Data([1]), clientDataJSON: Data([2]), authenticatorData: Data([3]), signature: Data([4]), userHandle: nil)
