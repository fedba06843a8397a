import Essentials
import Mustache

/// All templates in one language: its sentences and the constants of the site are filled in, so
/// that only the values of a request remain.
struct LanguageTemplates: Sendable {
    let sentences: [String: Sentence]
    private let pages: MustacheLibrary
    /// Made when the first mail in the language is written: most languages need few, and mails take
    /// half as much memory as pages.
    private let mails: Lazy<MustacheLibrary>

    /// `pages`: of the first pass, by name; `mails`: their texts. So many are worked on at once.
    /// Throws `TemplateFault` for what is wrong in sentences and pages.
    init(
        _ language: Language, _ pages: [String: MustacheTemplate], mails: [String: String], constants: Values,
        atOnce: Int = 1
    ) throws {
        let texts = try Self.texts(language, constants)
        sentences = try texts.mapValues(atOnce: atOnce) { try Sentence($1) }
        var library = MustacheLibrary()
        Self.add(try Self.filled(pages, Self.context(texts, constants), atOnce), to: &library)
        self.pages = library
        self.mails = Lazy { [library] in
            var library = library
            let context = Self.context(try Self.texts(language, constants), constants)
            Self.add(try Self.filled(try TemplatePass.first(mails, atOnce), context, atOnce), to: &library)
            return library
        }
    }

    /// What a template of that name is rendered with. Throws `TemplateFault` for what is wrong in a
    /// mail.
    func library(for name: String) throws -> MustacheLibrary {
        Self.isMail(name) ? try mails.value() : pages
    }

    /// Reads the mails, too. Throws `TemplateFault`.
    func makeMails() throws {
        _ = try mails.value()
    }

    static func isMail(_ name: String) -> Bool { name.begins(with: "mail/") || name.begins(with: "partials/mail/") }

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

    /// The sentences with the constants of the site filled in, by key.
    private static func texts(_ language: Language, _ constants: Values) throws -> [String: String] {
        try language.sentences.mapValues { try TemplatePass.withConstants($0, constants) }
    }

    private static func context(_ sentences: [String: String], _ constants: Values) -> Values {
        SentenceTree.nested(sentences).merging(["site": constants]) { _, site in site }
    }

    /// The templates of the second pass, by name.
    private static func filled(
        _ templates: [String: MustacheTemplate], _ context: Values, _ atOnce: Int
    ) throws -> [String: MustacheTemplate] {
        try templates.mapValues(atOnce: atOnce) { name, template in
            try TemplatePass.naming(name) {
                try TemplatePass.second(template.render(context), isText: TemplatePass.isText(name))
            }
        }
    }

    private static func add(_ templates: [String: MustacheTemplate], to library: inout MustacheLibrary) {
        for (name, template) in templates {
            library.register(template, named: name)
            // Mustache's closing tags know no slash, so what others inherit from goes by dots.
            library.register(template, named: name.parts(by: "/").joined(separator: "."))
        }
    }
}
