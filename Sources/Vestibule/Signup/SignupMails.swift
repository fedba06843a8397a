extension MailContent.Kind {
    static let signupCode = Self("signup-code", usefulFor: Code.lifetime, isUrgent: true)
    static let signupTaken = Self("signup-taken", usefulFor: Code.lifetime, isUrgent: true)
}
