import Essentials
import Foundation

/// What is to be said about one language, for `vestibule doctor`.
package struct LanguageReport: Sendable {
    package let code: String
    package let sentenceCount: Int
    package let missingCount: Int
    /// File, line and what is odd there; the language works nevertheless.
    package let warnings: [String]
}

extension TemplateFiles {
    var reports: [LanguageReport] {
        let check = check
        return languages.map { language in
            let missing = missing(language.code).count
            return LanguageReport(
                code: language.code, sentenceCount: language.sentences.count, missingCount: missing,
                warnings: languageFiles.filter { $0.code == language.code }.flatMap(check.warnings)
                    + untouched(language, missing))
        }
    }

    /// Of the keys that pages look up, those shown in English for want of a translation.
    private func missing(_ code: String) -> [String] {
        let english = shipped.sentences.keys
        let own = languageFiles.filter { $0.code == code }
        return PluralKeys(english: english).keys(english, language: code).filter { key in
            key != Language.directionKey
                && own.allSatisfy { $0.sentences[key] == nil || $0.isEmpty(key, english: shipped) }
        }.sorted()
    }

    /// What is left of a copy of the English sentences: its own name, or most of them.
    private func untouched(_ language: Language, _ missing: Int) -> [String] {
        let english = languages[0]
        guard language.code != english.code else { return [] }
        let same = language.sentences.count { english.sentences[$0.key] == $0.value } - missing
        let others = languages.filter { $0.code != language.code && $0.name == language.name }
        return others.map { "it calls itself \(language.name), as \($0.code) does: see language" }
            + (same * 2 > language.sentences.count ? ["\(same) of its sentences are still the English ones"] : [])
    }

    /// The sentences a language lacks, in English, as a JSON file to be filled in.
    func untranslated(_ code: String) throws -> String {
        let english = languages[0].sentences
        let plurals = PluralKeys(english: english.keys)
        var missing: [String: String] = [:]
        for key in self.missing(code) {
            missing[key] = plurals.english(key, language: code).flatMap { english[$0] } ?? ""
        }
        let saysDirection = languageFiles.contains { $0.code == code && $0.sentences[Language.directionKey] != nil }
        if !saysDirection { missing[Language.directionKey] = Language.usualDirection(code) }
        let tree = SentenceTree.nested(missing)
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: tree, options: options), as: UTF8.self)
    }
}

extension Resources {
    /// Each language, English first. Throws `TemplateFault` for what stops the start, also in files
    /// that were installed.
    package func languageReports() throws -> [LanguageReport] {
        let files = try TemplateFiles(self)
        try files.refuseFaults(in: files.languageFiles)
        return files.reports
    }

    /// What is left to translate, as JSON. Returns nil if `code` cannot name a language; throws
    /// `TemplateFault`.
    package func untranslated(_ code: String) throws -> String? {
        LanguageFile.isCode(code) ? try TemplateFiles(self).untranslated(code) : nil
    }
}
