extension SecurityEvent.Kind {
    static let accountDeleted = Self("account_deleted", log: "user_deleted")
}
