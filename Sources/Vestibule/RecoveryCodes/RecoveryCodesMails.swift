extension MailContent.Kind {
    static let recoveryCodesMade = Self("recovery-codes-made")
}
