import Serving
import Vestibule

/// What the operator's own files make of pages and mails. Files that stop the start are named by
/// `checkResources` alone.
extension DoctorReport {
    /// Contrast of the colours (WCAG 2.2: 4.5:1 for text, 3:1 for controls), light and dark.
    mutating func checkTheme() {
        guard let theme = try? Wiring.resources().theme() else { return }
        for token in theme.unread {
            warn(
                "theme",
                "--\(token) is not #rrggbb, var(), light-dark() or color-mix(in srgb, …): its contrast is not checked, "
                    + "and mails keep the product's colour")
        }
        for warning in theme.warnings { warn("theme", warning) }
        note("theme", theme.contrastFaults)
    }

    /// Whether pages can show the operator's logo, and load what the theme names.
    mutating func checkBrandFiles() {
        guard let files = try? Wiring.resources().brandFiles() else { return }
        note("logo", files.markFaults)
        for warning in files.markWarnings { warn("logo", warning) }
        for warning in files.linkWarnings { warn("theme", warning) }
    }

    /// Whether the privacy page, which may be the operator's own, names who else learns something
    /// of visitors, and what is kept of them.
    mutating func checkPrivacyPage(_ settings: Settings) {
        guard let gaps = try? Wiring.resources().untoldOnPrivacyPage(settings) else { return }
        if gaps.isEmpty { note("privacy page", nil) }
        for gap in gaps {
            let languages = gap.languages.joined(separator: ", ")
            warn("privacy page (\(languages))", "it does not name \(gap.missing.joined(separator: ", "))")
        }
    }

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
