extension MailContent.Kind {
    static let emailChangeCode = Self("email-change-code", usefulFor: Code.lifetime, isUrgent: true)
    static let emailChanged = Self("email-changed", usefulFor: EmailUndoLink.lifetime)
    static let emailUndoCode = Self("email-undo-code", usefulFor: Code.lifetime, isUrgent: true)
    static let emailRestored = Self("email-restored")
    static let emailTakenBack = Self("email-taken-back")
    static let accountLocked = Self("account-locked")
}
