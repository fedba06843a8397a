extension MailContent.Kind {
    static let passwordReplaced = Self("password-replaced")
}
