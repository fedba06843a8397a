import Essentials
import Mustache

/// All templates, evaluated in two passes: sentences and site constants once for each locale,
/// values a request. Mustache is slow, so as little as possible is left for the second pass, and
/// the start reads only the sentences of the default locale, and its templates if one is the
/// operator's.
package struct Templates: Sendable {
    /// Locale codes, the default first.
    package let locales: [String]
    /// Whether none of them is the operator's.
    let areInstalled: Bool
    private let standard: LanguageTemplates
    private let others: [String: Lazy<LanguageTemplates>]
    /// Threads that work on what the start waits for.
    static let atOnce = 2

    /// `constants` are what the first pass fills in. Throws `TemplateFault`.
    package init(
        _ files: TemplateFiles, constants: @escaping @Sendable (Language, _ all: [Language]) -> Values
    ) throws {
        let languages = files.languages
        areInstalled = files.texts.areInstalled
        let make = { @Sendable (language: Language, atOnce: Int) in
            try LanguageTemplates(language, files.texts, constants: constants(language, languages), atOnce: atOnce)
        }
        standard = try make(languages[0], Self.atOnce)
        others = Dictionary(
            uniqueKeysWithValues: languages.dropFirst().map { language in
                (language.code, Lazy<LanguageTemplates> { try make(language, 1) })
            })
        locales = languages.map(\.code)
    }

    /// Reads every template in every language. Throws `TemplateFault`.
    package func check() throws {
        for locale in locales { try templates(locale).check() }
    }

    /// The template filled with values, escaped for HTML unless its name ends in `.txt`.
    package func render(_ name: String, _ values: Values, locale: String) throws -> String {
        guard let text = try templates(locale).library(for: name).render(values, withTemplate: name) else {
            throw TemplateFault("template \(name) is missing")
        }
        return text
    }

    /// A template as a value: at its place in another stands what it renders there, not escaped
    /// again.
    package func part(_ template: ValueTemplate, locale: String) -> (any Sendable)? {
        try? templates(locale).library(for: template.rawValue).getTemplate(named: template.rawValue)
    }

    /// A sentence by its key, as plain text; the key itself when nobody wrote it.
    package func sentence(_ key: String, _ values: Values = [:], locale: String) -> String {
        sentences(locale)[key]?.render(values) ?? key
    }

    /// The form of a sentence that goes with a number, by its key without the form; `{{count}}` is
    /// the number.
    package func sentence(_ key: String, count: Int, locale: String) -> String {
        let form = PluralForm(count, language: known(locale))
        let sentences = sentences(locale)
        let sentence = sentences["\(key).\(form.rawValue)"] ?? sentences["\(key).other"]
        return sentence?.render(["count": "\(count)"]) ?? key
    }

    /// That locale if there is one, otherwise the default.
    package func known(_ locale: String) -> String {
        others[locale] == nil ? locales[0] : locale
    }

    private func templates(_ locale: String) throws -> LanguageTemplates {
        try others[locale]?.value() ?? standard
    }

    private func sentences(_ locale: String) -> [String: LanguageTemplates.Sentence] {
        ((try? templates(locale)) ?? standard).sentences
    }
}
