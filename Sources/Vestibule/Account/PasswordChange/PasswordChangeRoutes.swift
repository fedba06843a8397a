import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/password`.
struct PasswordChangeRoutes {
    let change: PasswordChange
    let stepUp: StepUpPages
    let web: Web
    private static let ids = [
        "current_password": "current-password", "password": "new-password",
        "password_confirmation": "account-password-confirmation",
    ]

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(web, page: "/account/password", staleForm: .isShownAgain).add(middleware: stepUp)
        group.get("/account/password") { _, context in
            guard try await change.hasPassword(context.account) else { return seeOther("/reset") }
            if let asked = try await stepUp.asked("/account/password", [:], context) { return asked }
            return try web.pages.render("account/password", web.accountValues(context), context)
        }
        group.post("/account/password") { request, context in
            // A first password is chosen with a code from the mailbox.
            guard try await change.hasPassword(context.account) else { return seeOther("/reset") }
            let page = FormPage(web: web, template: "account/password", ids: Self.ids, otherwise: "current-password")
            return try await page.answer(request, context) {
                let form = try context.formWithPasswords()
                let new = NewPassword(password: form["password"], confirmation: form["password_confirmation"])
                let (renewed, ways) = try await change.change(
                    context.record, to: new, current: form["current_password"], visitor: context.visitor)
                let flash = Flash(.passwordReplaced, ways: ways, providers: change.reauthentication.providers)
                return web.renewed(context.session, renewed.token, try web.say(flash, on: AccountSection.security.path))
                    .setting(web.cookies, renewed.device)
            } again: { refused in
                Self.ids.keys.reduce(into: web.accountValues(context)) { $0[$1] = refused.field($1) }
            }
        }
    }
}

extension Notice {
    static let passwordReplaced = Notice("password_replaced", .saved)
}
