extension SecurityEvent.Kind {
    static let factorRemovalAsked = Self("factor_removal_asked", log: "user_updated")
    static let factorsRemoved = Self("factors_removed", log: "user_updated")
}
