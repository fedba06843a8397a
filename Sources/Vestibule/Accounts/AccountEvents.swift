extension SecurityEvent.Kind {
    static let signup = Self("signup", log: "user_created")
}
