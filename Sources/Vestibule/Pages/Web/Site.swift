import Essentials
import Mailing
package import Serving

/// What is the same on every page of this site.
package struct Site: Sendable {
    let settings: Settings
    /// Changes whenever a static file does, so that browsers may keep the files for good.
    let assets: String
    let brand: Brand

    package init(settings: Settings, files: StaticFiles) {
        self.settings = settings
        assets = files.version
        brand = files.brand
    }

    /// Whether mails are read at `/dev/mail`.
    private var hasOutbox: Bool {
        guard settings.mode == .development, case .outbox = settings.mailURL else { return false }
        return true
    }

    /// Constants for the first pass of one locale.
    func values(locale: Language, all: [Language]) -> Values {
        let words: Values = [
            "brand": settings.brandName,
            "tagline": settings.brandTagline ?? locale.sentences["site_tagline"] ?? "",
            "lang": locale.code,
            "dir": locale.direction,
            "assets": assets,
            "signup": settings.signupOpen,
            "confirmation": settings.passwordConfirmation,
            "verification": settings.verificationRequired,
            "outbox": hasOutbox,
            "passkeys": settings.offersPasskeys,
            "remember": settings.rememberDefault,
            "minimum": "\(settings.passwordMinLength)",
            "url": settings.publicURL.text,
            "base": settings.publicURL.path,
            "terms_version": settings.termsVersion,
            "languages": all.map { other -> Values in
                [
                    "code": other.code, "name": other.name,
                    "current": other.code == locale.code,
                ]
            },
        ]
        return words.merging(others(locale)) { word, _ in word }.merging(brand.values) { word, _ in word }
    }

    /// Who else learns something of a visitor: providers and applications.
    private func others(_ locale: Language) -> Values {
        let (providers, applications) = (settings.providers, settings.applications)
        return [
            "has_providers": !providers.isEmpty, "has_apple": providers.contains(where: \.isApple),
            "has_applications": !applications.isEmpty, "tells_others": !providers.isEmpty || !applications.isEmpty,
            "providers": providers.map { provider -> Values in
                [
                    "name": provider.name, "label": provider.label, "apple": provider.isApple,
                    // Characters: the sentence is of a locale file.
                    "sentence": (locale.sentences["providers.continue"] ?? "").replacing(
                        "{{label}}", with: provider.label),
                ]
            },
            "applications": applications.map { application -> Values in
                ["label": application.label, "plain": application.wantsPlainHeaders]
            },
        ]
    }
}
