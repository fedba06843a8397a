import Essentials
package import Serving

/// Pages and a mail as the files and settings make them, light and dark, in one page that needs no
/// server.
package struct PreviewPage {
    private let content: SiteContent
    private let settings: Settings
    private var templates: Templates { content.pages.templates }
    private var locale: String { templates.locales[0] }

    /// Throws `TemplateFault`.
    package init(_ resources: Resources, settings: Settings) throws {
        content = try SiteContent(resources, settings: settings)
        self.settings = settings
    }

    /// Throws `TemplateFault`.
    package func html() throws -> String {
        let refused = settings.signupOpen ? "signup" : "login"
        let pages = [
            try content.pages.text(of: "welcome", locale: locale),
            try content.pages.text(of: "login", locale: locale),
            try templates.render(refused, refusal(refused), locale: locale),
            try templates.render("mail/signup-code.html", ["code": "481506"], locale: locale),
        ]
        let names = ["welcome", "login", "refused", "mail"]
        let schemes = ["light", "dark"].map { scheme -> Values in
            let page = StandalonePage(
                files: content.files, base: settings.publicURL.path, isDark: scheme == "dark")
            let drawn = zip(names, pages).map { name, html -> Values in ["name": name, "html": page.html(html)] }
            return [
                "scheme": scheme, "pages": drawn, "wide": page.html(pages[1]),
                "icon": page.address(content.files.brand.icon(dark: scheme == "dark")),
            ]
        }
        return try templates.render("dev/preview", ["schemes": schemes], locale: locale)
    }

    /// What a form shows that was sent with half an address.
    private func refusal(_ form: String) -> Values {
        let sentence = templates.sentence("refusal.email_invalid", locale: locale)
        return [
            "problems": [["id": "\(form)-email", "sentence": sentence] as Values],
            "email": ["value": "ada@example", "error": sentence] as Values, "answered": true,
        ]
    }
}
