extension MailContent.Kind {
    static let invitation = Self("invitation", usefulFor: MailedReset.lifetime)
    static let resetRequested = Self("reset-requested", usefulFor: MailedReset.lifetime)
}
