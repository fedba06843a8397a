package import Foundation
package import PasswordHashing
import Serving

/// An expected no: a closed reason, and the field it belongs to. Everything else that goes wrong is a fault.
package enum Refusal: Error, Sendable, Equatable {
    case displayNameMissing, displayNameTooLong, displayNameInvalid
    case emailMissing, emailInvalid, emailTaken, emailSame, emailTakenByOther
    case password(PasswordRefusal)
    case loginPasswordMissing, newPasswordMissing
    case currentPasswordMissing, currentPasswordWrong, proofMissing
    case deletionUnconfirmed
    case confirmationMissing, confirmationMismatch
    case termsMissing
    case codeMissing, codeWrong
    /// The flow's attempts are used up; only another flow helps.
    case flowSpent
    case credentialsWrong
    case signupClosed
    /// The API's: no session, no current password, or raised terms that wait. Pages lead elsewhere instead.
    case signInNeeded, proofNeeded, termsNeeded
    case providerRejected
    /// The form stood on a page from before the last sign-in.
    case formStale
    case signOutFailed
    case limited(until: Date)
    case unavailable(retryAfterSeconds: Int)

    /// The form field to mark, by its name in the contract.
    package var field: String? {
        switch self {
        case .displayNameMissing, .displayNameTooLong, .displayNameInvalid: "display_name"
        case .emailMissing, .emailInvalid, .emailTaken, .emailSame, .emailTakenByOther: "email"
        case .password, .loginPasswordMissing, .newPasswordMissing: "password"
        case .currentPasswordMissing, .currentPasswordWrong, .proofNeeded, .proofMissing: "current_password"
        case .confirmationMissing, .confirmationMismatch: "password_confirmation"
        case .termsMissing: "terms"
        case .codeMissing, .codeWrong: "code"
        case .deletionUnconfirmed: "confirm"
        case .formStale, .signOutFailed, .flowSpent, .credentialsWrong, .providerRejected, .signupClosed,
            .signInNeeded, .termsNeeded, .limited, .unavailable:
            nil
        }
    }

    /// The sentence's key in the locales.
    package var sentenceKey: String {
        switch self {
        case .displayNameMissing: "refusal.display_name_missing"
        case .displayNameTooLong: "refusal.display_name_too_long"
        case .displayNameInvalid: "refusal.display_name_invalid"
        case .emailMissing: "refusal.email_missing"
        case .emailInvalid: "refusal.email_invalid"
        case .emailTaken: "refusal.email_taken"
        case .emailSame: "refusal.email_same"
        case .emailTakenByOther: "refusal.email_taken_by_other"
        case .deletionUnconfirmed: "refusal.confirm_missing"
        case .password(let reason): reason.sentenceKey
        case .loginPasswordMissing: "refusal.login_password_missing"
        case .newPasswordMissing: "refusal.new_password_missing"
        case .currentPasswordWrong: "refusal.current_password_wrong"
        case .proofMissing: "refusal.proof_missing"
        case .confirmationMissing: "refusal.confirmation_missing"
        case .confirmationMismatch: "refusal.confirmation_mismatch"
        case .termsMissing, .termsNeeded: "refusal.terms_missing"
        case .codeMissing: "refusal.code_missing"
        case .codeWrong: "refusal.code_wrong"
        case .flowSpent: "refusal.flow_spent"
        case .credentialsWrong: "refusal.login"
        case .signupClosed: "refusal.signup_closed"
        case .signInNeeded: "notice.sign_in_first"
        case .providerRejected: "notice.provider_failed"
        case .formStale: Notice.formStale.sentenceKey
        case .signOutFailed: "refusal.sign_out_failed"
        case .proofNeeded, .currentPasswordMissing: "refusal.current_password_missing"
        case .limited: "refusal.limited"
        case .unavailable: "refusal.unavailable"
        }
    }
}

extension Refusal {
    /// Where a new password takes the place of another one.
    static func newPassword(_ refusal: PasswordRefusal) -> Refusal {
        refusal == .missing ? .newPasswordMissing : .password(refusal)
    }
}

extension PasswordRefusal {
    /// The sentence's key in the locales.
    package var sentenceKey: String {
        switch self {
        case .missing: "refusal.password_missing"
        case .tooShort: "refusal.password_too_short"
        case .tooLong: "refusal.password_too_long"
        case .guessable(let weakness): "refusal.guessable_\(weakness)"
        }
    }
}
