/// The terms that a sign-up accepts.
public struct Terms: Sendable, Hashable, Codable {
    /// Changes with them.
    public let version: String
    /// The language of the text, such as `en`.
    public let language: String
    /// Plain text, with an empty line between headings, paragraphs and items.
    public let text: String

    /// Terms for previews and tests.
    public init(version: String = "1", language: String = "en", text: String) {
        (self.version, self.language, self.text) = (version, language, text)
    }
}
