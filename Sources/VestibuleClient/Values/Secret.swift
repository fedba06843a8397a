/// A text that opens something: a password, a code, a session's token, the handle of a flow.
/// Descriptions, string interpolation and mirrors show `•••`; `text` has what it is.
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text itself: for a field that its owner reads, or for a store of tokens.
    public let text: String

    /// Keeps that text, as it is.
    public init(_ text: String) {
        self.text = text
    }

    /// Keeps that text: for previews and tests.
    public init(stringLiteral text: String) {
        self.text = text
    }
}

extension Secret: Codable {
    /// Reads a string.
    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `•••`.
    public var description: String { "•••" }
    /// Always `•••`.
    public var debugDescription: String { "•••" }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
