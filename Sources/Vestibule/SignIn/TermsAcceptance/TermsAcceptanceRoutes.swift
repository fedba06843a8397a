import Hummingbird
import Serving

/// `/account/terms`: raised terms are asked for before anything else.
struct TermsAcceptanceRoutes {
    let acceptance: TermsAcceptance
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(
            web, page: AccountSection.profile.path, termsMayWait: true, staleForm: .isShownAgain)
        group.get("/account/terms") { request, context in
            let wish = request.uri.queryParameters.get("return_to")
            guard context.session.awaitsTerms else { return try web.homeAfterTerms(context.session, wish: wish) }
            return try web.pages.render("account/terms", values(returnTo: wish, context), context)
        }
        group.post("/account/terms") { request, context in
            let id = "account-terms-terms"
            let page = FormPage(web: web, template: "account/terms", ids: ["terms": id], otherwise: id)
            return try await page.answer(request, context) {
                let form = try context.form()
                try await acceptance.accept(form["terms"] == "accepted", context.record, visitor: context.visitor)
                return try web.homeAfterTerms(context.session, wish: form["return_to"])
            } again: { refused in
                values(returnTo: context.typed("return_to"), context)
                    .merging(["terms": refused.field("terms")]) { $1 }
            }
        }
    }

    private func values(returnTo wish: String?, _ context: SignedInContext) -> Values {
        let own: Values = [
            "signedIn": true, "csrf": web.formToken(context), "isFirst": context.account.termsVersion == nil,
        ]
        return LinkValues.of(wish, web).merging(own) { $1 }
    }
}
