extension MailContent.Kind {
    static let identityAdded = Self("identity-added")
    static let identityRemoved = Self("identity-removed")
}
