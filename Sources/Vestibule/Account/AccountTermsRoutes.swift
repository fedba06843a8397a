import HTTPTypes
import Hummingbird

/// `/account/terms`: raised terms are asked for before anything else.
struct AccountTermsRoutes {
    let needs: Needs
    let terms: Terms
    let web: Web

    func add(to routes: Routes) {
        routes.get("/account/terms", show)
        routes.post("/account/terms", submit)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context, awaitingTerms: true) {
        case .elsewhere(let response): return response
        case .here(let record):
            let wish = request.uri.queryParameters.get("return_to")
            guard record.session.awaitsTerms else { return seeOther(web.returnTo.destination(wish)) }
            return try page(LinkValues.of(wish, web), context)
        }
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        guard case .here(let record) = web.guardian.session(request, context, awaitingTerms: true) else {
            return seeOther("/login")
        }
        try web.guardian.check(form, request, context)
        guard form["terms"] == "accepted" else {
            return try refused(LinkValues.of(form["return_to"], web), context)
        }
        let event = needs.audit.event(.termsAccepted, accountID: record.account.id, visitor: context.visitor)
        try await needs.store.accept(
            terms.consent(visitor: context.visitor, at: needs.now()), accountID: record.account.id,
            sessionID: record.session.id, event: event
        )
        needs.audit.log(event)
        return seeOther(web.returnTo.destination(form["return_to"]))
    }

    private func refused(_ links: Values, _ context: AppContext) throws -> Response {
        let ids = ["terms": "account-terms"]
        let refused = RefusedForm([.termsMissing], ids: ids, otherwise: "account-terms", web.pages, context)
        let values: Values = ["problems": refused.problems, "terms": refused.field("terms")]
        return try page(values.merging(links) { $1 }, context, status: .unprocessableContent)
    }

    private func page(
        _ values: Values, _ context: AppContext, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let common: Values = ["signedIn": true, "csrf": web.guardian.formToken(context)]
        return try web.pages.render("account/terms", values.merging(common) { $1 }, context, status: status)
    }
}
