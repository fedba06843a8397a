import Vestibule

/// What the operator's own files make of pages and mails. Files that stop the start are named by `checkResources` alone.
extension DoctorReport {
    /// How much of each language there is. What is missing is shown in English.
    mutating func checkLanguages() {
        guard let languages = try? Wiring.resources().languageReports() else { return }
        note("languages (\(languages.map(\.code).joined(separator: ", ")))", nil)
        for language in languages {
            for warning in language.warnings { warn("language \(language.code)", warning) }
            guard language.missingCount > 0 else { continue }
            warn(
                "language \(language.code)",
                "\(language.missingCount) of \(language.sentenceCount) sentences are missing and shown in English: "
                    + "`vestibule doctor --missing \(language.code)` prints them")
        }
    }
}
