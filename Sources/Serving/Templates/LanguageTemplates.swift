import Essentials
import Mustache

/// All templates in one language: its sentences and the constants of the site are filled in, so
/// that only the values of a request remain.
struct LanguageTemplates: Sendable {
    let library: MustacheLibrary
    let sentences: [String: Sentence]

    /// `templates`: of the first pass, by name, of which so many are worked on at once. Throws
    /// `TemplateFault`.
    init(
        _ language: Language, _ templates: [String: MustacheTemplate], constants: Values, atOnce: Int = 1
    ) throws {
        let filled = try language.sentences.mapValues { try TemplatePass.withConstants($0, constants) }
        let context = SentenceTree.nested(filled).merging(["site": constants]) { _, site in site }
        library = Self.library(try Self.filled(templates, context, atOnce))
        sentences = try filled.mapValues(Sentence.init)
    }

    /// A sentence, with or without places for values; most have none and need no template.
    enum Sentence: Sendable {
        case plain(String)
        case template(MustacheTemplate)

        init(_ text: String) throws {
            guard text.holds("{{") else { self = .plain(text); return }
            self = .template(try TemplatePass.second(text, isText: true))
        }

        func render(_ values: Values) -> String {
            switch self {
            case .plain(let text): text
            case .template(let template): template.render(values)
            }
        }
    }

    /// The templates of the second pass, by name.
    private static func filled(
        _ templates: [String: MustacheTemplate], _ context: Values, _ atOnce: Int
    ) throws -> [String: MustacheTemplate] {
        let filled = try Array(templates).map(atOnce: atOnce) { name, template in
            let filled = try TemplatePass.naming(name) {
                try TemplatePass.second(template.render(context), isText: TemplatePass.isText(name))
            }
            return (name, filled)
        }
        return Dictionary(uniqueKeysWithValues: filled)
    }

    private static func library(_ templates: [String: MustacheTemplate]) -> MustacheLibrary {
        var library = MustacheLibrary()
        for (name, template) in templates {
            library.register(template, named: name)
            // Mustache's closing tags know no slash, so what others inherit from goes by dots.
            library.register(template, named: name.parts(by: "/").joined(separator: "."))
        }
        return library
    }
}
