import Essentials
import Foundation

/// The files under `Templates`, read once at start. A template hides another of its name; languages
/// are merged sentence by sentence.
struct TemplateFiles {
    private(set) var templates: [String: String] = [:]
    private let areInstalled: Bool
    var texts: TemplateTexts { TemplateTexts(byName: templates, areInstalled: areInstalled) }
    /// English is the default and comes first.
    let languages: [Language]
    /// As they were found; what is installed before the operator's.
    let languageFiles: [LanguageFile]
    let check: LanguageCheck

    /// Throws `TemplateFault`, also for a language file with a placeholder that nothing fills in.
    init(_ resources: Resources) throws {
        areInstalled = resources.usesInstalledTemplates
        var found: [(file: URL, code: String)] = []
        for (path, file) in resources.files(in: "Templates") {
            if let name = path.before(".mustache") {
                templates[String(name)] = try Self.text(file)
            } else if let code = Resources.language(at: path) {
                found.append((file, code))
            }
        }
        let files = try found.map(atOnce: Templates.atOnce) { try LanguageFile($0.file, code: $0.code) }
        guard let shipped = files.first(where: { $0.code == "en" }) else {
            throw TemplateFault("no Templates/locales/en.json")
        }
        let check = LanguageCheck(english: shipped)
        _ = try files.map(atOnce: Templates.atOnce) { try check.refuseFaults(in: $0) }
        self.check = check
        languageFiles = files
        languages = Self.merged(files)
    }

    private static func merged(_ files: [LanguageFile]) -> [Language] {
        var sentences: [String: [String: String]] = [:]
        for file in files { sentences[file.code, default: [:]].merge(file.sentences.mapValues(\.text)) { $1 } }
        let english = sentences["en"] ?? [:]
        let others = sentences.filter { $0.key != "en" }.sorted { $0.key < $1.key }
        return [Language(code: "en", own: english, english: english)]
            + others.map { Language(code: $0.key, own: $0.value, english: english) }
    }

    private static func text(_ file: URL) throws -> String {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw TemplateFault("\(file.path) cannot be read, or is not UTF-8")
        }
        return text
    }
}
