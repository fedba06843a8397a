extension MailContent.Kind {
    static let factorTakenBack = Self("factor-taken-back")
}
