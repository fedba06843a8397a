import Hummingbird

/// Something a redirect has to say on the next page; a closed set, so that no link can put words on our pages.
enum Notice: String, Sendable {
    case flowExpired = "flow-expired"
    case flowUnknown = "flow-unknown"
    case codeSentAgain = "code-sent-again"
    case passwordChanged = "password-changed"
    case passwordReplaced = "password-replaced"
    case newCode = "new-code"
    case sessionEnded = "session-ended"
    case signInFirst = "sign-in-first"
    case profileSaved = "profile-saved"
    case emailChanged = "email-changed"
    case emailFlowExpired = "email-flow-expired"
    case emailRestored = "email-restored"
    case undoGone = "undo-gone"
    case undoTaken = "undo-taken"
    case linkLost = "link-lost"
    case choosePassword = "choose-password"
    case accountDeleted = "account-deleted"
    case providerFailed = "provider-failed"
    case identityAdded = "identity-added"
    case identityRemoved = "identity-removed"
    case identityElsewhere = "identity-elsewhere"
    case lastWay = "last-way"
    case confirmed
    case signedInAlready = "signed-in-already"

    init?(_ request: Request) {
        guard let name = request.uri.queryParameters.get("notice"), let notice = Notice(rawValue: name) else {
            return nil
        }
        self = notice
    }

    var sentenceKey: String {
        "notice." + rawValue.replacing("-", with: "_")  // Characters: our own names.
    }
}
