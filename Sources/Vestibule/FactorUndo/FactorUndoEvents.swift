extension SecurityEvent.Kind {
    static let factorTakenBack = Self("factor_taken_back", log: "user_updated")
}
