extension MailContent.Kind {
    static let totpAdded = Self("totp-added")
    static let totpRemoved = Self("totp-removed")
}
