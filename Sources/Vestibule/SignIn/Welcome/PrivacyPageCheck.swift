import Essentials
package import Serving

extension Resources {
    /// What the privacy page does not name in a language, although the settings make it so: a page
    /// of the operator's own may lack it. Empty for a page that names all. Throws `TemplateFault`.
    package func untoldOnPrivacyPage(_ settings: Settings) throws -> [(languages: [String], missing: [String])] {
        let templates = try SiteContent(self, settings: settings).pages.templates
        var gaps: [(languages: [String], missing: [String])] = []
        for locale in templates.locales {
            let page = try PrivacyPageCheck(templates, locale: locale)
            let missing = page.missing(settings)
            if let same = gaps.firstIndex(where: { $0.missing == missing }) {
                gaps[same].languages.append(locale)
            } else if !missing.isEmpty {
                gaps.append(([locale], missing))
            }
        }
        return gaps
    }
}

/// The text of the privacy page in one language.
private struct PrivacyPageCheck {
    private let page: String
    private let templates: Templates

    init(_ templates: Templates, locale: String) throws {
        page = Self.plain(try templates.render("privacy", [:], locale: locale))
        self.templates = templates
    }

    func missing(_ settings: Settings) -> [String] {
        let labels = settings.applications.map(\.label) + settings.providers.map(\.label)
        let passkeys = ("passkeys", ["passkeys.title", "privacy.kept_passkeys"], settings.offersPasskeys)
        let apps = ("authenticator apps", ["totp.title", "privacy.kept_app"], settings.secondFactor != .off)
        return labels.filter { !says($0) }
            + [passkeys, apps].filter { $0.2 && !$0.1.contains(where: saysSentence) }.map(\.0)
    }

    /// In any language: a page of the operator's own may have one only.
    private func saysSentence(_ key: String) -> Bool {
        templates.locales.contains { says(templates.sentence(key, locale: $0)) }
    }

    private func says(_ words: String) -> Bool { page.holds(Self.plain(words)) }

    /// Without what does not count: entities, hyphens that may break, and capitals.
    private static func plain(_ text: String) -> String {
        let entities = [
            ("\u{AD}", ""), ("&shy;", ""), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
            ("&amp;", "&"),
        ]
        // Characters: the page is the operator's.
        return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }.lowercased()
    }
}
