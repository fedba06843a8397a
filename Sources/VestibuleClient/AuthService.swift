public import Foundation

/// What an app asks of its server: `AuthClient` asks a real one, `AuthServiceStub` stands for one
/// in tests and previews.
///
/// Every call throws `Refusal`, `NetworkTrouble` and `CancellationError`. Calls that answer with a
/// new token keep it, and throw what the token store throws when that fails: the person is signed
/// in all the same, until the app ends. Once sent, they are not cancelled: who waits for them is
/// given their answer. Calls that need a session throw what the token store throws when it cannot
/// be read.
public protocol AuthService: Sendable {
    /// Who is signed in: at once as far as it is known, then whenever it changes. For any number of
    /// listeners, each of which gets a stream of its own.
    var sessions: AsyncStream<SessionState> { get }

    /// Asks whose the kept token is: once when the app starts, and whenever it matters. Where none
    /// was kept, looks whether another process has signed in since. Keeps the token when the server
    /// cannot be reached.
    @discardableResult func restore() async throws -> SessionState
    /// What the server offers to somebody who is not signed in.
    func site() async throws -> Site
    /// The terms as they are now, as text: for a view of the app's own.
    func terms() async throws -> Terms
    /// The server's estimate of a new password, which is also what it decides by.
    func strength(of password: Secret, email: String, name: String) async throws -> PasswordStrength

    /// Begins a sign-up: `codeWanted`, or `signedIn` where the server asks for no code.
    func signUp(name: String, email: String, password: Secret, acceptsTerms: Bool) async throws -> SignInOutcome
    /// Ends a sign-up with the code from the mail.
    func verifySignUp(flow: Secret, code: Secret) async throws -> SignInOutcome
    /// Sends another code for the same sign-up; the one before no longer works.
    func resendSignUpCode(flow: Secret) async throws

    /// Signs in with a password; ends the session before, if there is one.
    func signIn(email: String, password: Secret) async throws -> SignInOutcome
    /// Ends a sign-in that waits for a second factor.
    func finishSignIn(_ step: SecondStep, with proof: FactorProof) async throws -> SignInOutcome
    /// What a passkey is to sign, for `signIn` and `finishSignIn`.
    func passkeyRequest() async throws -> PasskeyRequest
    /// Signs in with a passkey, which is both factors at once.
    func signIn(with credential: PasskeyCredential, for request: PasskeyRequest) async throws -> SignInOutcome
    /// A nonce for one sign-in through a provider, good for ten minutes.
    func providerNonce() async throws -> Secret
    /// Signs in with Apple or another provider. Somebody new needs a name and
    /// `acceptsTerms`: without, nothing is used up, and the same credential may be sent again.
    func signIn(with credential: ProviderCredential, acceptsTerms: Bool) async throws -> SignInOutcome
    /// Ends the session. The token is forgotten in any case, also when the server cannot be told,
    /// or when it cannot be read.
    func signOut() async throws

    /// Sends a code for a new password, if the address has an account. Returns the flow.
    func requestReset(email: String) async throws -> Secret
    /// Sends another code for the same reset; the one before no longer works.
    func resendResetCode(flow: Secret) async throws
    /// Sets a new password and ends every session of the account; signs nobody in.
    func reset(flow: Secret, code: Secret, password: Secret) async throws

    /// Who is signed in, as the account is now.
    func user() async throws -> User
    /// Every session of the account, most recently used first.
    func deviceSessions() async throws -> [DeviceSession]
    /// Ends a session of the account. `currentPassword` is needed ten minutes after signing in.
    func endSession(id: String, currentPassword: Secret?) async throws
    /// Ends every session of the account but this one, which gets a new token. `currentPassword` is
    /// needed ten minutes after signing in.
    func endOtherSessions(currentPassword: Secret?) async throws
    /// Changes what the person is called.
    func rename(to name: String) async throws -> User
    /// Accepts the terms as they are now.
    func acceptTerms() async throws
    /// Changes the password and ends every other session. An account without one is refused: it
    /// gets its first one by `requestReset`.
    func changePassword(to password: Secret, currentPassword: Secret) async throws
    /// Sends a code to a new address. Returns the flow. `currentPassword` is empty for an account
    /// that has none.
    func requestEmailChange(to email: String, currentPassword: Secret) async throws -> Secret
    /// Sends another code for the same change; the one before no longer works.
    func resendEmailChangeCode(flow: Secret) async throws
    /// Changes the address with the code that was sent to it.
    func changeEmail(flow: Secret, code: Secret) async throws -> User
    /// Everything held about the account, as JSON. `currentPassword` is needed ten minutes after
    /// signing in.
    func export(currentPassword: Secret?) async throws -> Data
    /// Erases the account, now and for good. `currentPassword` is empty for an account that has
    /// none.
    func deleteAccount(currentPassword: Secret) async throws

    /// The second factors of the account.
    func factors() async throws -> Factors
    /// Proves a second factor once more, which counts for ten minutes: after a refusal with
    /// `methods`.
    func prove(_ proof: FactorProof) async throws
    /// What a passkey of the account is to sign, for `prove`.
    func proofRequest() async throws -> PasskeyRequest
    /// Makes a key for an authenticator app.
    func beginAuthenticator(currentPassword: Secret?) async throws -> AuthenticatorSetup
    /// Adds the app, in the place of the one before, with a code that it shows. `currentPassword`
    /// as for `beginAuthenticator`, once more.
    func confirmAuthenticator(_ setup: AuthenticatorSetup, code: Secret, currentPassword: Secret?) async throws
    /// Removes the app; with the last factor its recovery codes end.
    func removeAuthenticator(currentPassword: Secret?) async throws
    /// Makes ten recovery codes, which are shown this once; those before end.
    func makeRecoveryCodes(currentPassword: Secret?) async throws -> [Secret]
    /// What a new passkey is to be made for. Refused where a proof is missing, so that none is made
    /// in vain.
    func newPasskeyRequest(currentPassword: Secret?) async throws -> PasskeyRequest
    /// Adds a passkey. Without a name it gets that of its model, or “Passkey”, with a number from
    /// the second of that name on. `currentPassword` as for `newPasskeyRequest`, once more.
    func addPasskey(
        _ credential: PasskeyCredential, for request: PasskeyRequest, name: String?, currentPassword: Secret?
    ) async throws
    /// Names a passkey, with 64 characters at most.
    func renamePasskey(id: String, to name: String, currentPassword: Secret?) async throws
    /// Removes a passkey, unless nothing else would open the account.
    func removePasskey(id: String, currentPassword: Secret?) async throws
    /// Asks for a passkey after the password, too, that a browser made by itself.
    func usePasskeyForSecondStep(id: String, currentPassword: Secret?) async throws
}
