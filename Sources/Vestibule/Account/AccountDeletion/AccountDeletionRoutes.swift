import Essentials
import Hummingbird
import Serving

/// `/account/delete`: the password, the word typed, and everything is erased.
struct AccountDeletionRoutes {
    let deletion: AccountDeletion
    let browsers: KnownBrowsers
    let stepUp: StepUpPages
    let web: Web
    private static let path = "/account/delete"

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(
            web, page: AccountSection.data.path, termsMayWait: true, staleForm: .isShownAgain
        ).add(middleware: stepUp)
        group.get(RouterPath(Self.path)) { _, context in
            if let asked = try await stepUp.asked(Self.path, [:], context) { return asked }
            return try web.pages.render("account/delete", await values(context), context)
        }
        group.post(RouterPath(Self.path)) { request, context in
            let ids = ["current_password": "current-password", "confirm": "delete-confirm"]
            let page = FormPage(web: web, template: "account/delete", ids: ids, otherwise: "current-password")
            return try await page.answer(request, context) {
                let form = try context.formWithPasswords()
                let password = form["current_password"]
                guard word(context).matches(form["confirm"]) else {
                    let missing = try await deletion.reauthentication.missing(password, of: context.account)
                    throw Refusals(missing + [.deletionUnconfirmed])
                }
                try await deletion.delete(context.record, password: password, visitor: context.visitor)
                return try farewell(request, context)
            } again: { refused in
                let fields: Values = [
                    "current_password": refused.field("current_password"),
                    "confirm": refused.field("confirm", value: context.typed("confirm")),
                ]
                return try await values(context).merging(fields) { $1 }
            }
        }
    }

    private func farewell(_ request: Request, _ context: SignedInContext) throws -> Response {
        // Others may use this browser, and stay known.
        let device = browsers.cookie(of: context.visitor, removing: context.account.email)
        let cookie = device.map { web.cookies.set(.device, $0.text, maxAge: SiteCookies.deviceMaxAge) }
        return web.leaving(try web.say(.accountDeleted, on: "/"), request)
            .setting(cookie ?? web.cookies.clear(.device))
    }

    private func word(_ context: SignedInContext) -> DeletionWord {
        DeletionWord(shown: web.pages.sentence("delete.word", context))
    }

    private func values(_ context: SignedInContext) async throws -> Values {
        let proof = try await deletion.reauthentication.values(context.record, returnTo: Self.path, web, context)
        return web.accountValues(context).merging(["word": word(context).shown]) { $1 }.merging(proof) { $1 }
    }
}

extension Notice {
    static let accountDeleted = Notice("account_deleted", .done)
}
