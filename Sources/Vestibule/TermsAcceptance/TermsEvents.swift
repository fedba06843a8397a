extension SecurityEvent.Kind {
    static let termsAccepted = Self("terms_accepted", log: "terms_accepted")
}
