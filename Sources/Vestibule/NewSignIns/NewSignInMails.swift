extension MailContent.Kind {
    static let newSignIn = Self("new-sign-in")
    static let newSignIns = Self("new-sign-ins")
}
