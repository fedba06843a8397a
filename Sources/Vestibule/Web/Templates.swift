import Foundation
import Mustache

/// What a page or mail is filled with.
package typealias Values = [String: any Sendable]

/// A template, sentence or public file that stops the start: which one, and why.
package struct TemplateFault: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// All templates, evaluated in two passes: sentences and site constants once at start for each locale, values a request.
/// Mustache is slow, so as little as possible is left for the second pass.
package struct Templates: Sendable {
    /// Locale codes, the default first.
    package let locales: [String]
    private let libraries: [String: MustacheLibrary]
    private let sentences: [String: [String: Sentence]]

    /// Reads every `*.mustache` and `locales/*.json`. Throws `TemplateFault`.
    package init(_ resources: Resources, site: Site) throws {
        let files = try TemplateFiles(resources)
        var libraries: [String: MustacheLibrary] = [:]
        var sentences: [String: [String: Sentence]] = [:]
        var templates: [String: MustacheTemplate] = [:]
        for (name, text) in files.templates {
            templates[name] = try Self.naming(name) { try Self.firstPass(text, isText: Self.isText(name)) }
        }
        for locale in files.languages {
            let constants = site.values(locale: locale, all: files.languages)
            let filled = try locale.sentences.mapValues { try Self.withConstants($0, constants) }
            let context = SentenceTree.nested(filled).merging(["site": constants]) { _, site in site }
            libraries[locale.code] = try Self.library(templates, context)
            sentences[locale.code] = try filled.mapValues(Sentence.init)
        }
        self.libraries = libraries
        self.sentences = sentences
        locales = files.languages.map(\.code)
    }

    /// The template filled with values, escaped for HTML unless its name ends in `.txt`.
    package func render(_ name: String, _ values: Values, locale: String) throws -> String {
        guard let text = libraries[known(locale)]?.render(values, withTemplate: name) else {
            throw TemplateFault("template \(name) is missing")
        }
        return text
    }

    /// A sentence by its key, as plain text; the key itself when nobody wrote it.
    package func sentence(_ key: String, _ values: Values = [:], locale: String) -> String {
        sentences[known(locale)]?[key]?.render(values) ?? key
    }

    /// The form of a sentence that goes with a number, by its key without the form; `{{count}}` is
    /// the number.
    package func sentence(_ key: String, count: Int, locale: String) -> String {
        let code = known(locale)
        let form = PluralForm(count, language: code)
        let sentence = sentences[code]?["\(key).\(form.rawValue)"] ?? sentences[code]?["\(key).other"]
        return sentence?.render(["count": "\(count)"]) ?? key
    }

    /// That locale if there is one, otherwise the default.
    package func known(_ locale: String) -> String {
        libraries[locale] == nil ? locales[0] : locale
    }

    /// A sentence, with or without places for values; most have none and need no template.
    private enum Sentence: Sendable {
        case plain(String)
        case template(MustacheTemplate)

        init(_ text: String) throws {
            guard text.holds("{{") else { self = .plain(text); return }
            self = .template(try MustacheTemplate(string: textPragma + text))
        }

        func render(_ values: Values) -> String {
            switch self {
            case .plain(let text): text
            case .template(let template): template.render(values)
            }
        }
    }

    private static let textPragma = "{{% CONTENT_TYPE:TEXT}}"

    private static func library(_ templates: [String: MustacheTemplate], _ context: Values) throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for (name, template) in templates {
            let filled = try naming(name) {
                try MustacheTemplate(string: pragma(isText(name)) + template.render(context))
            }
            library.register(filled, named: name)
            // Mustache's closing tags know no slash, so what others inherit from goes by dots.
            library.register(filled, named: name.parts(by: "/").joined(separator: "."))
        }
        return library
    }

    /// Throws `TemplateFault` with the template's name and, if known, the line.
    private static func naming(
        _ name: String, _ read: () throws -> MustacheTemplate
    ) throws(TemplateFault) -> MustacheTemplate {
        do {
            return try read()
        } catch let fault as MustacheTemplate.ParserError {
            let line = fault.context.lineNumber - (isText(name) ? 0 : 1)
            throw TemplateFault("template \(name), line \(line): \(fault.error)")
        } catch {
            throw TemplateFault("template \(name): \(error)")
        }
    }

    /// The template of the first pass; rendered, it is the text of the second.
    private static func firstPass(_ text: String, isText: Bool) throws -> MustacheTemplate {
        try MustacheTemplate(string: pragma(isText) + "{{=[[ ]]=}}" + text)
    }

    private static func isText(_ name: String) -> Bool { name.ends(with: ".txt") }

    private static func pragma(_ isText: Bool) -> String {
        isText ? textPragma : HTMLEscaping.pragma
    }

    /// A sentence that names constants of the site, such as `[[site.brand]]`, with these filled in.
    private static func withConstants(_ sentence: String, _ constants: Values) throws -> String {
        guard sentence.utf8.contains(UInt8(ascii: "[")) else { return sentence }
        return try firstPass(sentence, isText: true).render(["site": constants])
    }
}
