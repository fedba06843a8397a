extension SecurityEvent.Kind {
    static let identityLinked = Self("identity_linked", log: "user_updated")
    static let identityUnlinked = Self("identity_unlinked", log: "user_updated")
}
