import HTTPTypes
import PasswordHashing

/// The one table from refusals to the API's answers.
extension Refusal {
    var problem: (status: HTTPResponse.Status, code: ProblemCode) {
        switch self {
        case .credentialsWrong: (.unauthorized, .invalidCredentials)
        case .providerRejected: (.unauthorized, .providerRejected)
        case .signInNeeded: (.unauthorized, .sessionExpired)
        case .proofNeeded, .proofMissing: (.forbidden, .reauthenticationRequired)
        case .termsNeeded: (.forbidden, .termsRequired)
        case .signupClosed: (.forbidden, .unavailable)
        case .emailTaken, .emailTakenByOther: (.conflict, .duplicateEmail)
        case .limited, .flowSpent: (.tooManyRequests, .rateLimited)
        case .unavailable: (.serviceUnavailable, .unavailable)
        case .currentPasswordWrong: (.unprocessableContent, .invalidCredentials)
        case .codeWrong: (.unprocessableContent, .otpIncorrect)
        default: (.unprocessableContent, .validationFailed)
        }
    }

    /// The JSON member to mark.
    var member: String? {
        field == "display_name" ? "name" : field
    }

    /// What is wrong with that member.
    var memberCode: String {
        switch self {
        case .displayNameMissing, .emailMissing, .codeMissing, .termsMissing, .proofNeeded, .password(.missing),
            .loginPasswordMissing, .newPasswordMissing, .currentPasswordMissing, .confirmationMissing:
            "missing"
        case .displayNameTooLong, .password(.tooLong): "too_long"
        case .password(.tooShort): "too_short"
        case .password(.guessable): "guessable"
        case .emailTaken, .emailTakenByOther: "taken"
        case .emailSame: "unchanged"
        case .currentPasswordWrong, .codeWrong: "incorrect"
        default: "invalid"
        }
    }
}
