extension SecurityEvent.Kind {
    static let totpAdded = Self("totp_added", log: "user_updated")
    static let totpRemoved = Self("totp_removed", log: "user_updated")
}
