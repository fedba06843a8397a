package import Foundation
package import PasswordHashing

/// An expected no: a closed reason, and the field it belongs to. Everything else that goes wrong is
/// a fault.
package enum Refusal: Error, Sendable, Equatable {
    case displayNameMissing, displayNameTooLong, displayNameInvalid
    case emailMissing, emailInvalid, emailTaken, emailSame, emailTakenByOther
    case password(PasswordRefusal)
    case loginPasswordMissing, newPasswordMissing
    case currentPasswordMissing, currentPasswordWrong, proofMissing
    /// The API's: the account has no password to change. The page leads on to a reset.
    case noPassword
    /// The API's: a second factor was not proved lately. What may be, the strongest first.
    case secondProofNeeded(methods: [String])
    /// One reason for all that can be wrong with a passkey.
    case passkeyRefused
    case passkeyNotMade
    /// The account has as many passkeys as it may have.
    case passkeysFull
    case passkeyNameInvalid
    /// The API's: nothing else would open the account.
    case lastWayIn
    /// The API's: the site requires a second factor, and the account has none.
    case factorNeeded
    case deletionUnconfirmed
    case confirmationMissing, confirmationMismatch
    case termsMissing
    case codeMissing, codeWrong
    /// No sign-up, reset or change of address waits for a code under that handle, or not any more.
    /// Said like a wrong code.
    case flowOver
    /// The code of a second factor.
    case secondCodeMissing, secondCodeWrong
    /// The first code of an authenticator app.
    case appCodeMissing, appCodeWrong
    /// There is nothing that recovery codes could stand in for.
    case factorMissing
    /// The flow's attempts are used up; only another flow helps.
    case flowSpent
    /// The same of a second step.
    case secondStepSpent
    /// The API's: no sign-in waits for a second step under that handle.
    case secondStepOver
    case credentialsWrong
    case signupClosed
    /// The API's: no session, no current password, or raised terms that wait. Pages lead elsewhere
    /// instead.
    case signInNeeded, proofNeeded, termsNeeded
    case providerRejected
    /// The form stood on a page from before the last sign-in.
    case formStale
    /// The form waited for a proof, and its passwords were not kept meanwhile.
    case secretsNotKept
    case signOutFailed
    /// The mails of development mode are not shown to other machines.
    case mailsElsewhere
    /// `by` names action and limit for the log, where they are known.
    case limited(until: Date, by: String = "")
    case unavailable(retryAfterSeconds: Int)
}

extension Refusal {
    /// Where a new password takes the place of another one.
    static func newPassword(_ refusal: PasswordRefusal) -> Refusal {
        refusal == .missing ? .newPasswordMissing : .password(refusal)
    }
}

/// Everything that is wrong with one form, in the order of its fields.
struct Refusals: Error, Sendable, Equatable {
    let all: [Refusal]

    init(_ all: [Refusal]) {
        self.all = all
    }
}
