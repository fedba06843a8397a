/// Something that the next page says once; a closed set, so that nobody can put words on our pages.
/// Raw values name sentences in the locales.
package enum Notice: String, Sendable, Codable {
    case flowExpired = "flow_expired"
    case flowUnknown = "flow_unknown"
    case codeSentAgain = "code_sent_again"
    case passwordChanged = "password_changed"
    case passwordReplaced = "password_replaced"
    case newCode = "new_code"
    case sessionEnded = "session_ended"
    case sessionsEnded = "sessions_ended"
    case signInFirst = "sign_in_first"
    case sessionOver = "session_over"
    case signedOut = "signed_out"
    case formStale = "form_stale"
    case accountReady = "account_ready"
    case profileSaved = "profile_saved"
    case emailChanged = "email_changed"
    case emailFlowExpired = "email_flow_expired"
    case emailRestored = "email_restored"
    case undoGone = "undo_gone"
    case undoTaken = "undo_taken"
    case linkLost = "link_lost"
    case choosePassword = "choose_password"
    case accountDeleted = "account_deleted"
    case providerFailed = "provider_failed"
    case identityAdded = "identity_added"
    case identityRemoved = "identity_removed"
    case identityElsewhere = "identity_elsewhere"
    case lastWay = "last_way"
    case confirmed
    case signedInAlready = "signed_in_already"

    var sentenceKey: String { "notice.\(rawValue)" }

    /// What a notice reports. Raw values name the words before the title in the locales.
    enum Kind: String {
        case saved, done, note
        case problem = "error"

        var prefixKey: String { "common.\(rawValue)_prefix" }
    }

    var kind: Kind {
        switch self {
        case .profileSaved, .passwordChanged, .passwordReplaced, .emailChanged, .emailRestored, .identityAdded,
            .identityRemoved:
            .saved
        case .sessionEnded, .sessionsEnded, .signedOut, .accountReady, .accountDeleted, .codeSentAgain, .confirmed:
            .done
        case .signInFirst, .sessionOver, .choosePassword, .newCode, .signedInAlready: .note
        case .flowExpired, .flowUnknown, .emailFlowExpired, .undoGone, .undoTaken, .linkLost, .providerFailed,
            .identityElsewhere, .lastWay, .formStale:
            .problem
        }
    }
}
