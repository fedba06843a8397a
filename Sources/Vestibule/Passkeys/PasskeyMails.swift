extension MailContent.Kind {
    static let passkeyAdded = Self("passkey-added")
    static let passkeyRemoved = Self("passkey-removed")
}
