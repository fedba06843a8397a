import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/terms`: raised terms are asked for before anything else.
struct TermsAcceptanceRoutes {
    let terms: TermsAcceptance
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/account/terms", use: show)
        routes.post("/account/terms", use: submit)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context, awaitingTerms: true) {
        case .elsewhere(let response): return response
        case .here(let record):
            let wish = request.uri.queryParameters.get("return_to")
            guard record.session.awaitsTerms else { return seeOther(web.returnTo.destination(wish)) }
            return try web.pages.render("account/terms", page(LinkValues.of(wish, web), record, context), context)
        }
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        guard case .here(let record) = web.guardian.session(request, context, awaitingTerms: true) else {
            return try web.signInFirst(returnTo: "/account")
        }
        let check = try web.guardian.check(form, request, context)
        do {
            try check()
            try await terms.accept(form["terms"] == "accepted", record, visitor: context.visitor)
            return seeOther(web.returnTo.destination(form["return_to"]))
        } catch {
            let id = "account-terms-terms"
            let refused = RefusedForm(error, ids: ["terms": id], otherwise: id, web, request, context)
            guard let refused else { throw error }
            let values = page(LinkValues.of(form["return_to"], web), record, context)
            return try refused.page("account/terms", values.merging(["terms": refused.field("terms")]) { $1 }, context)
        }
    }

    private func page(_ links: Values, _ record: SessionRecord, _ context: AppContext) -> Values {
        let values: Values = [
            "signedIn": true, "csrf": web.guardian.formToken(context), "isFirst": record.account.termsVersion == nil,
        ]
        return links.merging(values) { $1 }
    }
}
