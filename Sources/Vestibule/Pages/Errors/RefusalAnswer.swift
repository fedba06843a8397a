import HTTPTypes
import PasswordHashing
import Serving

/// How an expected no is answered, on pages and by the API.
struct RefusalAnswer {
    /// Key of the sentence, for both.
    let sentence: String
    let page: HTTPResponse.Status
    let api: HTTPResponse.Status
    let code: ProblemCode
    /// What is wrong with the member of the body it belongs to.
    let member: String
    /// The form field to mark, by its name in the contract.
    let field: String?

    fileprivate init(
        _ sentence: String, _ member: String = "invalid", field: String? = nil,
        page: HTTPResponse.Status = .unprocessableContent,
        api: HTTPResponse.Status = .unprocessableContent, _ code: ProblemCode = .validationFailed
    ) {
        self.sentence = sentence
        self.page = page
        self.api = api
        self.code = code
        self.member = member
        self.field = field
    }
}

extension Refusal {
    /// The one table from refusals to sentence, status and code.
    var answer: RefusalAnswer {
        switch self {
        case .displayNameMissing: .init("refusal.display_name_missing", "missing", field: "display_name")
        case .displayNameTooLong: .init("refusal.display_name_too_long", "too_long", field: "display_name")
        case .displayNameInvalid: .init("refusal.display_name_invalid", field: "display_name")
        case .emailMissing: .init("refusal.email_missing", "missing", field: "email")
        case .emailInvalid: .init("refusal.email_invalid", field: "email")
        case .emailTaken: .init("refusal.email_taken", "taken", field: "email", api: .conflict, .duplicateEmail)
        case .emailTakenByOther:
            .init("refusal.email_taken_by_other", "taken", field: "email", api: .conflict, .duplicateEmail)
        case .emailSame: .init("refusal.email_same", "unchanged", field: "email")
        case .password(let reason): reason.answer
        case .loginPasswordMissing: .init("refusal.login_password_missing", "missing", field: "password")
        case .newPasswordMissing: .init("refusal.new_password_missing", "missing", field: "password")
        case .currentPasswordMissing: .init("refusal.current_password_missing", "missing", field: "current_password")
        case .currentPasswordWrong:
            .init("refusal.current_password_wrong", "incorrect", field: "current_password", .invalidCredentials)
        case .proofNeeded:
            .init(
                "refusal.current_password_missing", "missing", field: "current_password", api: .forbidden,
                .reauthenticationRequired)
        case .proofMissing:
            .init("refusal.proof_missing", field: "current_password", api: .forbidden, .reauthenticationRequired)
        case .noPassword: .init("refusal.no_password")
        case .secondProofNeeded: .init("refusal.second_proof_needed", api: .forbidden, .reauthenticationRequired)
        case .passkeyRefused: .init("refusal.passkey", api: .unauthorized, .invalidCredentials)
        case .passkeyNotMade: .init("passkey.not_made", api: .unprocessableContent, .invalidCredentials)
        case .passkeysFull: .init("refusal.passkeys_full")
        case .factorNeeded: .init("factors.must_add", api: .forbidden, .secondFactorRequired)
        case .lastWayIn: .init(Notice.lastWay.sentenceKey, api: .conflict)
        case .passkeyNameInvalid: .init("refusal.passkey_name_invalid", field: "name")
        case .deletionUnconfirmed: .init("refusal.confirm_missing", field: "confirm")
        case .confirmationMissing: .init("refusal.confirmation_missing", "missing", field: "password_confirmation")
        case .confirmationMismatch: .init("refusal.confirmation_mismatch", field: "password_confirmation")
        case .termsMissing: .init("refusal.terms_missing", "missing", field: "terms")
        case .termsNeeded: .init("refusal.terms_missing", api: .forbidden, .termsRequired)
        case .codeMissing: .init("refusal.code_missing", "missing", field: "code")
        case .appCodeMissing: .init("refusal.app_code_missing", "missing", field: "code")
        case .factorMissing: .init("refusal.factor_missing")
        case .secondCodeMissing: .init("refusal.second_code_missing", "missing", field: "code")
        case .codeWrong, .flowOver: .init("refusal.code_wrong", "incorrect", field: "code", .otpIncorrect)
        case .appCodeWrong: .init("refusal.app_code_wrong", "incorrect", field: "code", .otpIncorrect)
        case .secondCodeWrong: .init("refusal.second_code_wrong", "incorrect", field: "code", .otpIncorrect)
        case .secondStepSpent:
            .init("refusal.second_step_spent", page: .tooManyRequests, api: .tooManyRequests, .rateLimited)
        case .secondStepOver: .init("refusal.second_step_over", api: .unprocessableContent, .otpIncorrect)
        case .flowSpent:
            .init("refusal.flow_spent", page: .tooManyRequests, api: .tooManyRequests, .rateLimited)
        case .limited: .init("refusal.limited", page: .tooManyRequests, api: .tooManyRequests, .rateLimited)
        case .credentialsWrong: .init("refusal.login", api: .unauthorized, .invalidCredentials)
        case .signupClosed: .init("refusal.signup_closed", page: .forbidden, api: .forbidden, .unavailable)
        case .signInNeeded: .init(Notice.signInFirst.sentenceKey, api: .unauthorized, .sessionExpired)
        case .providerRejected: .init("notice.provider_failed", api: .unauthorized, .providerRejected)
        case .formStale: .init(Notice.formStale.sentenceKey)
        case .secretsNotKept: .init("refusal.secrets_not_kept")
        case .signOutFailed: .init("refusal.sign_out_failed", page: .serviceUnavailable)
        case .mailsElsewhere: .init("refusal.mails_elsewhere", page: .forbidden)
        case .unavailable:
            .init("refusal.unavailable", page: .serviceUnavailable, api: .serviceUnavailable, .unavailable)
        }
    }

    /// Whether no try is left: waiting does not help.
    var endsFlow: Bool { [.flowSpent, .flowOver, .secondStepSpent, .secondStepOver].contains(self) }

    /// What may be sent to prove a second factor.
    var methods: [String]? {
        if case .secondProofNeeded(let methods) = self { methods } else { nil }
    }

    var field: String? { answer.field }

    /// The member of the API's body to mark.
    var member: String? {
        field == "display_name" ? "name" : field
    }
}

extension PasswordRefusal {
    fileprivate var answer: RefusalAnswer {
        switch self {
        case .missing: .init("refusal.password_missing", "missing", field: "password")
        case .tooShort: .init("refusal.password_too_short", "too_short", field: "password")
        case .tooLong: .init("refusal.password_too_long", "too_long", field: "password")
        case .guessable(let weakness): .init("refusal.guessable_\(weakness)", "guessable", field: "password")
        }
    }
}
