extension SecurityEvent.Kind {
    static let recoveryCodesMade = Self("recovery_codes_made", log: "user_updated")
}
