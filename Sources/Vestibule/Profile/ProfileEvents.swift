extension SecurityEvent.Kind {
    static let profileChanged = Self("profile_changed", log: "user_updated")
}
