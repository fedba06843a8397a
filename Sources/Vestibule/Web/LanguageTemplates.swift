import Mustache

/// All templates in one language: its sentences and the constants of the site are filled in, so that only the values of a
/// request remain.
struct LanguageTemplates: Sendable {
    let library: MustacheLibrary
    let sentences: [String: Sentence]

    /// `templates`: of the first pass, by name. Throws `TemplateFault`.
    init(_ language: Language, _ templates: [String: MustacheTemplate], constants: Values) throws {
        let filled = try language.sentences.mapValues { try TemplatePass.withConstants($0, constants) }
        let context = SentenceTree.nested(filled).merging(["site": constants]) { _, site in site }
        library = try Self.library(templates, context)
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

    private static func library(_ templates: [String: MustacheTemplate], _ context: Values) throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for (name, template) in templates {
            let isText = TemplatePass.isText(name)
            let filled = try TemplatePass.naming(name) {
                try TemplatePass.second(template.render(context), isText: isText)
            }
            library.register(filled, named: name)
            // Mustache's closing tags know no slash, so what others inherit from goes by dots.
            library.register(filled, named: name.parts(by: "/").joined(separator: "."))
        }
        return library
    }
}
