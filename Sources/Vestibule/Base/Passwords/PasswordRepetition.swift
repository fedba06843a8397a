import PasswordHashing

extension Password {
    /// What is wrong with the password as repeated. Returns nil if it is the same, or if nobody was
    /// asked to repeat it.
    func refusal(ofRepeated text: String?) -> Refusal? {
        guard let text else { return nil }
        if text.isEmpty { return .confirmationMissing }
        // Where the first one is missing there is nothing to compare with.
        return byteCount == 0 || matches(Password(text)) ? nil : .confirmationMismatch
    }
}
