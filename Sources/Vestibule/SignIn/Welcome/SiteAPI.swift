import Essentials
import Hummingbird
import Serving

/// `GET site`: what an app shows to somebody who is not signed in.
struct SiteAPI {
    let settings: Settings

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/api/auth/site") { _, _ in
            let url = settings.publicURL
            let answer: JSONObject = [
                "name": settings.brandName, "sign_up": settings.signupOpen, "passkeys": settings.offersPasskeys,
                "password_confirmation": settings.passwordConfirmation,
                "password_min_length": settings.passwordMinLength,
                "providers": settings.providers.map { ["id": $0.name, "label": $0.label] as JSONObject },
                "terms_version": settings.termsVersion, "terms_url": url.url("/terms"),
                "privacy_url": url.url("/privacy"),
            ]
            return try JSONReply.of(answer)
        }
    }
}
