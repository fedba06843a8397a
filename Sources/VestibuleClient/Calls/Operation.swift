/// The calls of the API, named as its description names them. The value is the method, and the
/// path below `/api/auth/`.
package enum Operation: String, CaseIterable, Sendable {
    case getSite = "GET site"
    case getTerms = "GET terms"
    case estimatePassword = "POST password-strength"
    case signUp = "POST sign-up"
    case verifySignUp = "POST sign-up/verify"
    case resendSignUpCode = "POST sign-up/resend"
    case signIn = "POST sign-in"
    case signInSocial = "POST sign-in/social"
    case makeNonce = "POST sign-in/social/nonce"
    case signInSecond = "POST sign-in/second"
    case askForPasskey = "POST sign-in/passkey/options"
    case signInWithPasskey = "POST sign-in/passkey"
    case requestPasswordReset = "POST password-reset"
    case resendPasswordResetCode = "POST password-reset/resend"
    case resetPassword = "POST password-reset/verify"
    case signOut = "POST sign-out"
    case getSession = "GET session"
    case listSessions = "GET sessions"
    case endSession = "DELETE sessions/{id}"
    case endOtherSessions = "POST sessions/end-others"
    case getUser = "GET user"
    case changeUser = "PATCH user"
    case deleteUser = "DELETE user"
    case exportUser = "POST user/export"
    case acceptTerms = "POST user/terms"
    case changePassword = "POST user/password"
    case requestEmailChange = "POST user/email"
    case resendEmailChangeCode = "POST user/email/resend"
    case changeEmail = "POST user/email/verify"
    case listFactors = "GET factors"
    case beginTOTP = "POST factors/totp"
    case confirmTOTP = "POST factors/totp/confirm"
    case removeTOTP = "DELETE factors/totp"
    case makeRecoveryCodes = "POST factors/recovery-codes"
    case askForNewPasskey = "POST factors/passkeys/options"
    case addPasskey = "POST factors/passkeys"
    case removePasskey = "DELETE factors/passkeys/{id}"
    case usePasskeyForSecondStep = "POST factors/passkeys/{id}/second"
    case renamePasskey = "POST factors/passkeys/{id}/rename"
    case askForProof = "POST factors/proof/options"
    case proveFactor = "POST factors/proof"

    var line: (method: String, path: String) {
        let parts = rawValue.utf8.split(separator: UInt8(ascii: " ")).map { String($0) ?? "" }
        return (parts[0], parts[1])
    }

    /// Whether it is about the session that the token opens. Other calls are sent with the token,
    /// too, where there is one.
    package var needsSession: Bool {
        switch self {
        case .getSite, .getTerms, .estimatePassword, .signUp, .verifySignUp, .resendSignUpCode, .signIn, .signInSocial,
            .makeNonce, .signInSecond, .askForPasskey, .signInWithPasskey, .requestPasswordReset,
            .resendPasswordResetCode, .resetPassword:
            false
        default: true
        }
    }

    /// Whether carrying it out twice does no more than once: it may be sent again when its answer
    /// was lost. What brings a password may not, because a wrong one is counted.
    package var isSafeToRepeat: Bool {
        switch self {
        case .estimatePassword, .makeNonce, .askForPasskey, .askForProof: true
        default: line.method == "GET"
        }
    }

    /// Bytes of an answer at most.
    var answerAtMost: Int { self == .exportUser ? 32 << 20 : 1 << 20 }
}
