extension SecurityEvent.Kind {
    static let exported = Self("exported", log: "sensitive_read")
}
