import Serving

extension Notice {
    static let passwordChanged = Notice("password_changed", .saved)
    static let choosePassword = Notice("choose_password", .note)
}

extension LinkKind {
    /// Of a mail that the operator caused.
    static let mailedReset = LinkKind(name: "reset", page: "/reset/continue")
}
