import Hummingbird
import Serving

/// `POST /account/profile`: the name a person wants to be called.
struct ProfileRoutes {
    let profile: Profile
    let web: Web

    private static let page = AccountSection.profile

    func add(to routes: some RouterMethods<AppContext>) {
        routes.signedIn(web, page: Self.page.path).post("/account/profile") { request, context in
            let id = "profile-display-name"
            let page = FormPage(web: web, template: Self.page.template, ids: ["display_name": id], otherwise: id)
            return try await page.answer(request, context) {
                let name = try context.form()["display_name"]
                _ = try await profile.rename(context.record, to: name, visitor: context.visitor)
                return try web.say(.profileSaved, on: Self.page.path)
            } again: { refused in
                let field = refused.field("display_name", value: context.typed("display_name"))
                return web.accountValues(context).merging(["profile_name": field]) { $1 }
            }
        }
        // A refused form is shown at this URL: reloading it or changing the language leads back.
        routes.get("/account/profile") { _, _ in seeOther(Self.page.path) }
    }
}

extension Notice {
    static let profileSaved = Notice("profile_saved", .saved)
}
