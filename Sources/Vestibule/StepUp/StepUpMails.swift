extension MailContent.Kind {
    /// Every fifth failure in a row that is a wrong proof.
    static let proofRefused = Self("proof-refused")
}
