import Essentials
import Mustache

/// Every template is parsed twice: with the tags `[[ ]]` for sentences and constants of the site,
/// and, with these filled in, for the values of a request.
enum TemplatePass {
    /// The template of the first pass; rendered, it is the text of the second.
    static func first(_ text: String, isText: Bool) throws -> MustacheTemplate {
        try MustacheTemplate(string: pragma(isText) + "{{=[[ ]]=}}" + text)
    }

    /// A template after both passes, ready for the values of a request. Throws `TemplateFault`.
    static func both(
        _ name: String, _ text: String, _ constants: Values
    ) throws(TemplateFault) -> MustacheTemplate {
        let filled = try naming(name) { try first(text, isText: isText(name)) }.render(constants)
        do {
            return try second(filled, isText: isText(name))
        } catch {
            // What is filled in has other lines than the file.
            _ = try naming(name) { try second(text, isText: isText(name)) }
            throw TemplateFault("template \(name): \(words((error as? MustacheTemplate.ParserError)?.error ?? error))")
        }
    }

    static func second(_ text: String, isText: Bool) throws -> MustacheTemplate {
        try MustacheTemplate(string: pragma(isText) + text)
    }

    /// A sentence that names constants of the site, such as `[[site.brand]]`, with these filled in.
    static func withConstants(_ sentence: String, _ constants: Values) throws -> String {
        guard sentence.utf8.contains(UInt8(ascii: "[")) else { return sentence }
        return try first(sentence, isText: true).render(["site": constants])
    }

    /// Throws unless both passes can read the sentence.
    static func check(_ sentence: String) throws {
        let noValues: Values = [:]
        _ = try second(first(sentence, isText: true).render(noValues), isText: true)
    }

    /// Whether the template of that name is plain text, which is not escaped.
    static func isText(_ name: String) -> Bool { name.ends(with: ".txt") }

    /// Throws `TemplateFault` with the template's name and, if known, the line.
    static func naming(
        _ name: String, _ read: () throws -> MustacheTemplate
    ) throws(TemplateFault) -> MustacheTemplate {
        do {
            return try read()
        } catch let fault as MustacheTemplate.ParserError {
            let line = fault.context.lineNumber - (isText(name) ? 0 : 1)
            throw TemplateFault("template \(name), line \(line): \(words(fault.error))")
        } catch {
            throw TemplateFault("template \(name): \(error)")
        }
    }

    /// What the parser means, for who writes the template.
    private static func words(_ error: any Error) -> String {
        switch error as? MustacheTemplate.Error {
        case .expectedSectionEnd:
            "a section is still open at the end: it lacks a closing tag such as {{/name}} or [[/name]]"
        case .sectionCloseNameIncorrect:
            "this closing tag is not that of the section opened last, or closes one that was never opened"
        case .unfinishedName: "a tag is not closed, or its name is missing or cannot be read"
        case .illegalTokenInsideInheritSection, .textInsideInheritSection:
            "between {{<name}} and {{/name}} only blocks such as {{$block}}…{{/block}} are allowed"
        default: "a tag cannot be read (\(error))"
        }
    }

    private static func pragma(_ isText: Bool) -> String {
        isText ? "{{% CONTENT_TYPE:TEXT}}" : HTMLEscaping.pragma
    }
}
