/// One language, complete: what its files do not say is said in English.
package struct Language: Sendable {
    package let code: String
    /// Every sentence by dotted key.
    package let sentences: [String: String]
    /// What the language calls itself; its code when the files do not say.
    package let name: String
    /// `ltr` or `rtl`
    package let direction: String

    private static let rightToLeft = ["ar", "fa", "he", "ur", "yi"]
    static let directionKey = "direction"

    init(code: String, own: [String: String], english: [String: String]) {
        self.code = code
        sentences = own.merging(english) { own, _ in own }
        name = own["language"] ?? code
        direction = own[Self.directionKey] ?? Self.usualDirection(code)
    }

    /// The direction of a language whose files do not name one.
    static func usualDirection(_ code: String) -> String {
        let primary = String(decoding: code.utf8.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)
        return rightToLeft.contains(primary) ? "rtl" : "ltr"
    }
}

extension Language {
    /// A length of time in the largest unit that says it exactly: `12 hours`, `1 day`.
    package func words(_ duration: Duration) -> String {
        let seconds = Int(duration.components.seconds)
        let units = [("day", 86_400), ("hour", 3600), ("minute", 60)]
        let (unit, length) = units.first { seconds.isMultiple(of: $0.1) } ?? ("second", 1)
        let form = PluralForm(seconds / length, language: code)
        let sentence = sentences["time.\(unit).\(form.rawValue)"] ?? sentences["time.\(unit).other"] ?? ""
        // Characters: the sentence is of a locale file.
        return sentence.replacing("{{count}}", with: "\(seconds / length)")
    }
}
