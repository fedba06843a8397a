extension MailContent.Kind {
    /// The fifth wrong second step of one login.
    static let secondStepRefused = Self("second-step-refused")
}
