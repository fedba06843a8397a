import Essentials
import Foundation

/// The files under `Templates`, read once at start. A template hides another of its name; languages
/// are merged sentence by sentence.
package struct TemplateFiles: Sendable {
    private(set) var templates: [String: String] = [:]
    private var areInstalled = true
    var texts: TemplateTexts { TemplateTexts(byName: templates, areInstalled: areInstalled) }
    /// English is the default and comes first.
    let languages: [Language]
    /// As they were found; what is installed before the operator's.
    let languageFiles: [LanguageFile]
    /// English as it was installed.
    let shipped: LanguageFile
    var check: LanguageCheck { LanguageCheck(english: shipped) }

    /// Reads every `*.mustache` and `locales/*.json`. Throws `TemplateFault`, also for a language
    /// file of the operator's with a placeholder that nothing fills in. Those that were installed
    /// are known to be right.
    package init(_ resources: Resources) throws {
        var found: [(file: URL, code: String, isInstalled: Bool)] = []
        for (path, file, isInstalled) in try resources.files(in: "Templates") {
            if let name = path.before(".mustache") {
                templates[String(name)] = try Self.text(file)
                if !isInstalled { areInstalled = false }
            } else if let code = Resources.language(at: path) {
                found.append((file, code, isInstalled))
            }
        }
        languageFiles = try found.map(atOnce: Templates.atOnce) { try LanguageFile($0.file, code: $0.code) }
        guard let shipped = languageFiles.first(where: { $0.code == "en" }) else {
            throw TemplateFault("no Templates/locales/en.json")
        }
        self.shipped = shipped
        languages = Self.merged(languageFiles, english: shipped)
        if !areInstalled { try refuseCircles() }
        let own = zip(found, languageFiles).filter { !$0.0.isInstalled }.map(\.1)
        if !own.isEmpty { try refuseFaults(in: own) }
    }

    /// Throws `TemplateFault` for a placeholder that nothing fills in.
    func refuseFaults(in files: [LanguageFile]) throws {
        let check = check
        for file in files { try check.refuseFaults(in: file) }
    }

    /// Throws `TemplateFault` for a template that includes itself, as it could never be rendered to
    /// the end, and for one whose includes cannot be determined.
    private func refuseCircles() throws {
        let outlines = templates.mapValues(TemplateOutline.init)
        if let name = outlines.filter(\.value.isUnreadable).keys.min() {
            throw TemplateFault("template \(name) has {{=, {{>* or {{<*, which are not supported")
        }
        let circles = templates.keys.sorted().compactMap { name in
            TemplateExpansion(name, of: outlines).circle.map { (name: name, names: $0) }
        }
        // A template inside the cycle, not one that only includes it.
        guard let circle = circles.first(where: { $0.names[0].isExactly($0.name) }) ?? circles.first else { return }
        throw TemplateFault("template \(circle.name) includes itself: \(circle.names.joined(separator: " → "))")
    }

    private static func merged(_ files: [LanguageFile], english shipped: LanguageFile) -> [Language] {
        var sentences: [String: [String: String]] = [:]
        for file in files {
            var said = sentences[file.code] ?? Dictionary(minimumCapacity: file.sentences.count)
            for (key, sentence) in file.sentences where !file.isEmpty(key, english: shipped) {
                said[key] = sentence.text
            }
            sentences[file.code] = said
        }
        let english = sentences["en"] ?? [:]
        let others = sentences.filter { $0.key != "en" }.sorted { $0.key < $1.key }
        return [Language(code: "en", own: english, english: [:])]
            + others.map { Language(code: $0.key, own: $0.value, english: english) }
    }

    private static func text(_ file: URL) throws -> String {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw TemplateFault("\(file.path) cannot be read, or is not UTF-8")
        }
        return text
    }
}
