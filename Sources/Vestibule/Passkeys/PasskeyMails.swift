extension MailContent.Kind {
    static let passkeyAdded = Self("passkey-added")
    static let passkeySecondStep = Self("passkey-second-step")
    static let passkeyRemoved = Self("passkey-removed")
}
