extension MailContent.Kind {
    static let accountDeleted = Self("account-deleted")
}
