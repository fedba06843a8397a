import Hummingbird
import Serving

/// `POST /account/profile`: the name a person wants to be called; `POST /account/language`: mails
/// in the language of the page. A new name needs no proof, but a thief must not make warnings
/// unreadable.
struct ProfileRoutes {
    let profile: Profile
    let stepUp: StepUpPages
    let web: Web

    private static let page = AccountSection.profile

    func add(to routes: some RouterMethods<AppContext>) {
        routes.signedIn(web, page: Self.page.path, staleForm: .isShownAgain).post("/account/profile") {
            request, context in
            let id = "profile-display-name"
            let page = FormPage(web: web, template: Self.page.template, ids: ["display_name": id], otherwise: id)
            return try await page.answer(request, context) {
                let name = try context.form()["display_name"]
                _ = try await profile.rename(context.record, to: name, visitor: context.visitor)
                return try web.say(.profileSaved, on: Self.page.path)
            } again: { refused in
                values(context, ["profile_name": refused.field("display_name", value: context.typed("display_name"))])
            }
        }
        let proved = routes.signedIn(web, page: Self.page.path).add(middleware: stepUp)
        proved.post("/account/language") { request, context in
            let page = FormPage(web: web, template: Self.page.template, ids: [:], otherwise: "mail-language")
            return try await page.answer(request, context) {
                try await profile.sendMailsInOwnLanguage(context.record, visitor: context.visitor)
                return try web.say(.mailLanguageSaved, on: Self.page.path)
            } again: { _ in
                values(context)
            }
        }
        // A refused form is shown at its path: reloading it or changing the language leads back.
        routes.get("/account/profile") { _, _ in seeOther(Self.page.path) }
        proved.get("/account/language") { _, _ in seeOther(Self.page.path) }
    }

    private func values(_ context: SignedInContext, _ own: Values = [:]) -> Values {
        web.accountValues(context).merging(web.profileValues(context)) { $1 }.merging(own) { $1 }
    }
}

extension Notice {
    static let profileSaved = Notice("profile_saved", .saved)
    static let mailLanguageSaved = Notice("mail_language_saved", .saved)
}
