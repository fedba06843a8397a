/// Something that the next page says once. Features declare theirs as values beside their rules;
/// only these are ever sealed into a cookie, so that nobody can put words on our pages.
package struct Notice: Sendable, Codable, Equatable {
    /// Names the sentence `notice.…` of the locales.
    let name: String
    let kind: Kind
    /// Whether the page offers to begin again.
    package let offersRestart: Bool

    package init(_ name: String, _ kind: Kind, offersRestart: Bool = false) {
        self.name = name
        self.kind = kind
        self.offersRestart = offersRestart
    }

    /// What a notice reports. Raw values name the words before the title in the locales.
    package enum Kind: String, Sendable, Codable {
        case saved, done, note
        case problem = "error"

        var prefixKey: String { "common.\(rawValue)_prefix" }
    }

    package var sentenceKey: String { "notice.\(name)" }
}
