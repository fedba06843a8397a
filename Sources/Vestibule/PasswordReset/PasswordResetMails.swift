extension MailContent.Kind {
    static let passwordReset = Self("password-reset", usefulFor: Code.lifetime, isUrgent: true)
    static let passwordChanged = Self("password-changed")
}
