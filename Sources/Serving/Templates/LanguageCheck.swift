import Essentials

/// Compares language files with English as it was shipped.
struct LanguageCheck {
    /// Constants of the site that any sentence may name.
    static let constants: Set<String> = [
        "site.brand", "site.tagline", "site.url", "site.base", "site.minimum", "site.terms_version", "site.owner",
        "site.activity", "site.session_idle", "site.session_lifetime", "site.remember_idle", "site.remember_lifetime",
    ]
    private static let constantTags = Set(constants.map { "[[\($0)]]" })

    private let shipped: LanguageFile
    private let english: [String: Set<String>]
    private let plurals: PluralKeys

    init(english: LanguageFile) {
        shipped = english
        self.english = english.sentences.mapValues { Self.placeholders(in: $0.text) }
        plurals = PluralKeys(english: english.sentences.keys)
    }

    /// The placeholders of a sentence; nil when no page looks it up in that language.
    private func placeholders(_ key: String, in code: String) -> Set<String>? {
        plurals.english(key, language: code).flatMap { english[$0] }
    }

    /// Whether the plural form stands for one number only, so that its sentence may spell it out
    /// (`an hour`, `two hours`). In Russian `one` also stands for 21.
    private func isSpelledOut(_ key: String, in code: String) -> Bool {
        guard let form = plurals.parts(of: key)?.form else { return false }
        return (1...200).count { PluralForm($0, language: code) == form } <= 1
    }

    /// Throws `TemplateFault` for what no page could fill in: a visitor would read a gap.
    func refuseFaults(in file: LanguageFile) throws(TemplateFault) {
        for (key, sentence) in file.sentences.sorted(by: { $0.value.line < $1.value.line }) {
            if key == Language.directionKey, !["ltr", "rtl"].contains(sentence.text) {
                throw TemplateFault("\(file.path), line \(sentence.line): direction is ltr or rtl")
            }
            // With a tag behind it, that would be a tag of three brackets.
            if let last = sentence.text.utf8.last, "{[".utf8.contains(last) {
                throw TemplateFault("\(file.path), line \(sentence.line): \(key) ends in an open bracket")
            }
            guard let known = placeholders(key, in: file.code) else {
                if let fault = fault(in: sentence.text, of: key) {
                    throw TemplateFault("\(file.path), line \(sentence.line): \(fault)")
                }
                continue
            }
            let unknown = Self.placeholders(in: sentence.text).subtracting(known).subtracting(Self.constantTags)
            guard let first = unknown.sorted().first else { continue }
            let allowed = known.isEmpty ? "it has none" : "it has \(known.sorted().joined(separator: ", "))"
            throw TemplateFault(
                "\(file.path), line \(sentence.line): \(first) is no placeholder of \(key): \(allowed)")
        }
    }

    /// Why a sentence that no page looks up would keep others from being read; nil when it does
    /// not.
    private func fault(in text: String, of key: String) -> String? {
        if english.keys.contains(where: { $0.begins(with: "\(key).") }) { return "\(key) is a group of sentences" }
        if english.keys.contains(where: { key.begins(with: "\($0).") }) { return "\(key) is part of a sentence" }
        do {
            try TemplatePass.check(text)
            return nil
        } catch {
            return "\(key) has tags that cannot be read"
        }
    }

    /// What works, but is hardly meant: keys that no page looks up, and values that are not said.
    func warnings(about file: LanguageFile) -> [String] {
        file.sentences.sorted { $0.value.line < $1.value.line }.flatMap { key, sentence -> [String] in
            let place = "\(file.path), line \(sentence.line)"
            guard let known = placeholders(key, in: file.code) else {
                let nearest = Suggestion.nearest(to: key, among: english.keys.sorted())
                return ["\(place): there is no sentence \(key)\(nearest.map { ", did you mean \($0)?" } ?? "")"]
            }
            guard !file.isEmpty(key, english: shipped) else { return ["\(place): \(key) is empty and not used"] }
            let left = known.subtracting(Self.placeholders(in: sentence.text)).subtracting(Self.constantTags)
                .subtracting(isSpelledOut(key, in: file.code) ? ["{{count}}"] : [])
            return left.sorted().map { "\(place): \(key) lacks \($0), which the English sentence has" }
        }
    }

    /// `{{name}}` and `[[name]]`, whole; an opening that is never closed stands for itself.
    private static func placeholders(in text: String) -> Set<String> {
        var found: Set<String> = []
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: "{")) || bytes.contains(UInt8(ascii: "[")) else { return found }
        var rest = bytes[...]
        while !rest.isEmpty {
            let brackets: (open: String, close: String)? =
                rest.starts(with: "{{".utf8) ? ("{{", "}}") : rest.starts(with: "[[".utf8) ? ("[[", "]]") : nil
            guard let brackets else {
                rest = rest.dropFirst()
                continue
            }
            var end = rest.startIndex + 2
            while end < rest.endIndex, !rest[end...].starts(with: brackets.close.utf8) { end += 1 }
            let isClosed = end < rest.endIndex
            found.insert(isClosed ? String(decoding: rest[..<(end + 2)], as: UTF8.self) : brackets.open)
            rest = isClosed ? rest[(end + 2)...] : []
        }
        return found
    }
}
