/// What went wrong, for programs: the codes of contract section 5.
enum ProblemCode: String, Encodable, CaseIterable {
    case invalidCredentials = "invalid_credentials"
    case rateLimited = "rate_limited"
    case secondFactorRequired = "second_factor_required"
    case otpIncorrect = "otp_incorrect"
    case duplicateEmail = "duplicate_email"
    case validationFailed = "validation_failed"
    case sessionExpired = "session_expired"
    case reauthenticationRequired = "reauthentication_required"
    case termsRequired = "terms_required"
    case providerRejected = "provider_rejected"
    case unavailable
    case unknown

    /// The same for every occurrence (RFC 9457 section 3.1.3).
    var title: String {
        switch self {
        case .invalidCredentials: "Invalid credentials"
        case .rateLimited: "Too many attempts"
        case .secondFactorRequired: "Second step needed"
        case .otpIncorrect: "Wrong code"
        case .duplicateEmail: "Address taken"
        case .validationFailed: "Invalid input"
        case .sessionExpired: "Not signed in"
        case .reauthenticationRequired: "Password needed"
        case .termsRequired: "Terms not accepted"
        case .providerRejected: "Provider not believed"
        case .unavailable: "Not available"
        case .unknown: "Refused"
        }
    }
}
