import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `POST /account/profile`: the name a person wants to be called.
struct ProfileRoutes {
    let profile: Profile
    let page: AccountRoutes
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/account/profile", use: submit)
        // A refused form is shown at this URL: reloading it or changing the language leads back.
        routes.get("/account/profile") { _, _ in seeOther("/account") }
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record, check) = try await web.guardian.form(request, context) else {
            return try web.firstStep(before: "/account", context)
        }
        do {
            try check()
            _ = try await profile.rename(record.account, to: form["display_name"], visitor: context.visitor)
            return try web.say(.profileSaved, on: "/account")
        } catch {
            let id = "profile-display-name"
            let refused = RefusedForm(error, ids: ["display_name": id], otherwise: id, web, request, context)
            guard let refused else { throw error }
            let field = refused.field("display_name", value: form["display_name"])
            return try refused.page("account", await page.values(record, profileName: field, context), context)
        }
    }
}
