public import VestibuleClient

extension Refusal {
    /// What a server says with that code: for previews and tests of each.
    public static func example(_ code: Code, retryAfter: Int? = nil) -> Refusal {
        switch code {
        case .invalidCredentials: Refusal(code, "Invalid email or password", status: 401)
        case .rateLimited:
            Refusal(code, "Too many attempts. Try again in 1 minute.", status: 429, retryAfter: retryAfter ?? 60)
        case .secondFactorRequired:
            Refusal(
                code, "This site asks for a second factor. Add a passkey or an authenticator app to continue.",
                status: 403)
        case .otpIncorrect: .wrong(.code, "incorrect", "That code is wrong or has expired.", code)
        case .duplicateEmail:
            .wrong(
                .email, "taken", "An account with this email already exists. Try signing in instead.", code,
                status: 409)
        case .validationFailed: .wrong(.email, "missing", "Enter your email address.")
        case .sessionExpired: Refusal(code, "Please sign in to continue.", status: 401)
        case .reauthenticationRequired:
            .wrong(.currentPassword, "missing", "Enter your current password.", code, status: 403)
        case .termsRequired: Refusal(code, "Accept the terms to continue.", status: 403)
        case .providerRejected:
            Refusal(code, "We couldn't complete that sign-in. Please try again.", status: 401)
        case .unavailable:
            Refusal(
                code, "Something went wrong on our side. Please try again.", status: 503, retryAfter: retryAfter ?? 5)
        case .unknown: Refusal(code, "Something went wrong on our side. Please try again.", status: 500)
        }
    }

    static func wrong(
        _ field: FormField, _ why: String, _ sentence: String, _ code: Code = .validationFailed, status: Int = 422,
        isFlowEnded: Bool = false
    ) -> Refusal {
        let error = FieldError(field: field.rawValue, code: why, detail: sentence)
        return Refusal(code, sentence, status: status, fields: [error], isFlowEnded: isFlowEnded)
    }

    /// Several fields at once; nil if none is wrong.
    static func all(_ errors: [FieldError?]) -> Refusal? {
        let found = errors.compactMap { $0 }
        return found.first.map { Refusal(.validationFailed, $0.detail, fields: found) }
    }

    static let flowEnded = Refusal(
        .rateLimited, "Too many attempts. Start over to get a new code.", status: 429, retryAfter: 600,
        isFlowEnded: true)
    static let flowOver = wrong(
        .code, "incorrect", "That code is wrong or has expired.", .otpIncorrect, isFlowEnded: true)
    static let secondStepEnded = Refusal(
        .rateLimited, "Too many attempts. Please sign in again.", status: 429, retryAfter: 600, isFlowEnded: true)
    static let secondStepOver = Refusal(
        .otpIncorrect, "This sign-in has ended. Please sign in again.", isFlowEnded: true)
    static let secondCodeWrong = wrong(
        .code, "incorrect", "That code is wrong or has been used. Enter another one.", .otpIncorrect)
    static let currentPasswordWrong = wrong(
        .currentPassword, "incorrect", "That's not your current password.", .invalidCredentials)
    static let noPassword = Refusal(
        .validationFailed, "You haven't set a password yet. Choose one with a code from an email.")
    static let proofMissing = wrong(
        .currentPassword, "invalid", "Please sign in again first.", .reauthenticationRequired, status: 403)
    static func secondProofNeeded(_ methods: [SecondFactorMethod]) -> Refusal {
        Refusal(.reauthenticationRequired, "Confirm with a second factor first.", status: 403, methods: methods)
    }
    static let unknown = Refusal(.unknown, "There is nothing at this address.", status: 404)
}

extension FieldError {
    /// Of a field that was left empty; nil if it was not.
    static func missing(_ field: FormField, _ text: String, _ sentence: String) -> FieldError? {
        text.isEmpty ? FieldError(field: field.rawValue, code: "missing", detail: sentence) : nil
    }

    static func address(_ email: String) -> FieldError? {
        if let error = missing(.email, email, "Enter your email address.") { return error }
        guard !email.utf8.contains(UInt8(ascii: "@")) else { return nil }
        return FieldError(field: "email", code: "invalid", detail: "Enter an email address like name@example.com.")
    }

    static func newPassword(_ password: Secret) -> FieldError? {
        if let error = missing(.password, password.text, "Enter a password.") { return error }
        let minimum = StubAccount.passwordMinLength
        guard password.text.unicodeScalars.count < minimum else { return nil }
        return FieldError(field: "password", code: "too_short", detail: "Use at least \(minimum) characters.")
    }
}
