import Essentials
import Mailing
package import Serving

/// What is the same on every page of this site.
package struct Site: Sendable {
    let settings: Settings
    /// Changes whenever a static file does, so that browsers may keep the files for good.
    let assets: String
    let brand: Brand
    let files: StaticFiles

    package init(settings: Settings, files: StaticFiles) {
        (self.settings, self.files) = (settings, files)
        assets = files.version
        brand = files.brand
    }

    /// Whether mails are read at `/dev/mail`.
    private var hasOutbox: Bool {
        guard settings.mode == .development, case .outbox = settings.mailURL else { return false }
        return true
    }

    /// Key of the sentence for a site without a tagline of its own.
    static func taglineKey(_ settings: Settings) -> String {
        settings.signupOpen ? "site_tagline" : "site_tagline_closed"
    }

    /// Constants for the first pass of one locale.
    func values(locale: Language, all: [Language]) -> Values {
        let words: Values = [
            "brand": settings.brandName,
            "tagline": settings.brandTagline ?? locale.sentences[Self.taglineKey(settings)] ?? "",
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
            "language": locale.name,
            "has_menu": all.count > 2,
            "languages": all.map { other -> Values in
                [
                    "code": other.code, "name": other.name,
                    "current": other.code == locale.code,
                ]
            },
        ]
        return [support(), retention(locale), others(locale), brand.values].reduce(words) {
            $0.merging($1) { word, _ in word }
        }
    }

    /// Whom to ask; what is not set is left out.
    private func support() -> Values {
        let support = settings.support
        var values: Values = ["owner": support.owner ?? settings.brandName, "is_owned": support.owner != nil]
        values["help"] = support.link
        values["help_place"] = support.place
        values["help_by_mail"] = support.url == nil && support.email != nil
        values["support_email"] = support.email?.typed
        return values
    }

    /// How long things are kept, in words.
    private func retention(_ locale: Language) -> Values {
        let sessions = settings.sessionLifetimes
        return [
            "activity": locale.words(settings.activityLifetime),
            "session_idle": locale.words(sessions.idle), "session_lifetime": locale.words(sessions.absolute),
            "remember_idle": locale.words(sessions.rememberedIdle),
            "remember_lifetime": locale.words(sessions.rememberedAbsolute),
        ]
    }

    /// The picture on its button: the operator's or ours by the provider's name, ours by its
    /// issuer, or a plain one.
    private func mark(of provider: ProviderSettings) -> String {
        let issuers = [
            ("https://accounts.google.com", "google"), ("https://login.microsoftonline.com/", "microsoft"),
            ("https://gitlab.com", "gitlab"),
        ]
        let names = [provider.name, issuers.first { provider.issuer.begins(with: $0.0) }?.1]
        let paths = names.compactMap { $0 }.map { "/providers/\($0).svg" }
        return paths.first(where: files.holds) ?? "/providers/any.svg"
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
                    "mark": mark(of: provider),
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
