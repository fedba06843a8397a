import Essentials
import Hummingbird
import Serving

/// `GET site`: what an app shows to somebody who is not signed in. `GET terms`: the terms as text.
struct SiteAPI {
    let settings: Settings
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/api/auth/site") { _, _ in
            let url = settings.publicURL
            let tagline = settings.brandTagline ?? web.pages.templates.sentence(Site.taglineKey(settings), locale: "en")
            let answer: JSONObject = [
                "name": settings.brandName, "tagline": tagline, "sign_up": settings.signupOpen,
                "passkeys": settings.offersPasskeys,
                "password_confirmation": settings.passwordConfirmation,
                "password_min_length": settings.passwordMinLength,
                "providers": settings.providers.map {
                    ["id": $0.name, "label": $0.label, "native": !$0.nativeAudiences.isEmpty] as JSONObject
                },
                "terms_version": settings.termsVersion, "terms_url": url.url("/terms"),
                "privacy_url": url.url("/privacy"),
            ]
            return try JSONReply.of(answer)
        }
        routes.get("/api/auth/terms") { _, context in
            let locale = context.visitor.locale
            let page = try web.pages.text(of: "terms", locale: locale)
            let answer: JSONObject = [
                "version": settings.termsVersion, "language": locale, "text": PageText.main(of: page),
            ]
            return try JSONReply.of(answer)
        }
    }
}
