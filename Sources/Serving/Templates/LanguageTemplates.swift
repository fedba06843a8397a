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
        let filled = try Self.filled(language, constants)
        let read = try Array(filled).map(atOnce: atOnce) { ($0.key, try Sentence($0.value)) }
        sentences = Dictionary(uniqueKeysWithValues: read)
        var library = MustacheLibrary()
        Self.add(try Self.filled(pages, Self.context(filled, constants), atOnce), to: &library)
        self.pages = library
        self.mails = Lazy { [library] in
            var library = library
            let context = Self.context(try Self.filled(language, constants), constants)
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

    private static func filled(_ language: Language, _ constants: Values) throws -> [String: String] {
        try language.sentences.mapValues { try TemplatePass.withConstants($0, constants) }
    }

    private static func context(_ sentences: [String: String], _ constants: Values) -> Values {
        SentenceTree.nested(sentences).merging(["site": constants]) { _, site in site }
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

    private static func add(_ templates: [String: MustacheTemplate], to library: inout MustacheLibrary) {
        for (name, template) in templates {
            library.register(template, named: name)
            // Mustache's closing tags know no slash, so what others inherit from goes by dots.
            library.register(template, named: name.parts(by: "/").joined(separator: "."))
        }
    }
}
