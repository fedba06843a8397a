extension MailContent.Kind {
    static let factorRemovalAsked = Self("factor-removal-asked")
    static let factorsRemoved = Self("factors-removed")
}
