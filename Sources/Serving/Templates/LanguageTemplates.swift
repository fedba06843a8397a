import Essentials
import Mustache
import Synchronization

/// All templates in one language: its sentences and the constants of the site are filled in, so
/// that only the values of a request remain. Each is read when it is needed first.
final class LanguageTemplates: Sendable {
    let sentences: [String: Sentence]
    private let texts: TemplateTexts
    /// What the first pass fills in.
    private let constants: Values
    private let read: Mutex<Read>

    private struct Read {
        var templates: [String: MustacheTemplate]
        /// By the names that were asked for, each with all that it includes.
        var libraries: [String: MustacheLibrary] = [:]
    }

    /// `atOnce`: the number of threads that read. Throws `TemplateFault` for what is wrong in the
    /// templates unless they are those that were installed.
    init(_ language: Language, _ texts: TemplateTexts, constants: Values, atOnce: Int = 1) throws {
        let filled = try language.sentences.mapValues { try TemplatePass.withConstants($0, constants) }
        sentences = filled.mapValues(Sentence.init)
        self.texts = texts
        let all = SentenceTree.nested(filled).merging(["site": constants]) { _, site in site }
        self.constants = all
        let first = texts.areInstalled ? [:] : texts.byName
        read = Mutex(Read(templates: try first.mapValues(atOnce: atOnce) { try TemplatePass.both($0, $1, all) }))
    }

    /// What a template of that name is rendered with. Throws `TemplateFault` for what is wrong in
    /// it.
    func library(for name: String) throws -> MustacheLibrary {
        // Those of an operator are read together, and are together in one library.
        let key = texts.areInstalled ? name : ""
        return try read.withLock { read in
            if let library = read.libraries[key] { return library }
            var library = MustacheLibrary()
            for (part, text) in texts.needed(for: name) {
                let template = try read.templates[part] ?? TemplatePass.both(part, text, constants)
                read.templates[part] = template
                library.register(template, named: part)
                // Mustache's closing tags know no slash, so what others inherit from goes by dots.
                library.register(template, named: part.parts(by: "/").joined(separator: "."))
            }
            read.libraries[key] = library
            return library
        }
    }

    /// Reads all of them, and all sentences. Throws `TemplateFault`.
    func check() throws {
        for (key, sentence) in sentences {
            do {
                try sentence.check()
            } catch {
                throw TemplateFault("the sentence \(key) has tags that cannot be read")
            }
        }
        for name in texts.byName.keys { _ = try library(for: name) }
    }

    /// A sentence, with or without places for values; most have none and need no template.
    enum Sentence: Sendable {
        case plain(String)
        case template(Lazy<MustacheTemplate>)

        init(_ text: String) {
            guard text.holds("{{") else { self = .plain(text); return }
            self = .template(Lazy { try TemplatePass.second(text, isText: true) })
        }

        func check() throws {
            if case .template(let template) = self { _ = try template.value() }
        }

        /// Nothing if its tags cannot be read, which has stopped the start where it is the
        /// operator's.
        func render(_ values: Values) -> String {
            switch self {
            case .plain(let text): text
            case .template(let template): (try? template.value().render(values)) ?? ""
            }
        }
    }
}
