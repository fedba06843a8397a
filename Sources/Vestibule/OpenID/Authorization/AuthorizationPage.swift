import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// The pages of `/oauth/authorize`, and its answers to clients.
struct AuthorizationPage: Sendable {
    let applications: Applications
    let web: Web

    var refusals: ClientRefusals { ClientRefusals(applications: applications, audit: web.audit) }

    /// Where a browser goes on from pages of the sign-in.
    static let path = "/oauth/authorize"

    static func path(_ sealed: String) -> String { "\(path)?resume=\(sealed)" }

    /// Asks whether the application may see what it asks for, or for a new sign-in.
    func question(
        _ request: AuthorizationRequest, _ sealed: String, _ record: SessionRecord, isProof: Bool, _ context: AppContext
    ) throws -> Response {
        let scopes = Scopes(request.scopes)
        let application = applications.client(request.client)
        let app = application.map(LinkValues.app) ?? [:]
        let title = isProof ? "consent.proof_title" : "consent.title"
        var values: Values = [
            "resume": sealed, "csrf": web.formTokens.token(of: record.session), "app": app, "is_proof": isProof,
            "expects_other": request.expectsAnother(than: record.accountID), "is_forced": request.forcesQuestion,
            "asks_each_time": application?.client?.asksEachTime(at: request.redirect) ?? false,
            "email": record.account.email.typed, "display_name": record.account.displayName,
            "title": web.pages.sentence(title, context, app),
        ].merging(app) { own, _ in own }
        for scope in Scope.allCases { values["sees_\(scope.rawValue)"] = scopes.contains(scope) }
        return try web.pages.render("openid/consent", values, context)
    }

    /// For somebody in none of the application's groups, who may go on with another account.
    func notAdmitted(
        _ request: AuthorizationRequest, _ sealed: String, _ record: SessionRecord, _ context: AppContext
    ) throws -> Response {
        let label = applications.client(request.client)?.label ?? ""
        let words: Values = ["label": label, "email": record.account.email.typed]
        let form: Values = ["resume": sealed, "csrf": web.formTokens.token(of: record.session)]
        return try message("handover.not_admitted", words, .forbidden, on: "openid/not-admitted", form, context)
    }

    /// Says to the person in the browser why no application gets an answer. The log has the same.
    /// `question`: of a sign-out, for somebody who may leave nevertheless.
    func fault(
        _ page: AuthorizationFault.Page, client: String?, redirect: String?, question: Values = [:],
        _ request: Request, _ context: AppContext
    ) throws -> Response {
        refusals.log(
            page.rawValue, client: client, redirect: redirect ?? "", at: request.uri.path, visitor: context.visitor)
        // The links to other languages repeat the query, but cannot repeat a form: a page that
        // answers a form has none.
        let query = request.uri.query ?? ""
        let kept = query.parts(by: "&").filter { field in
            let name = field.parts(by: "=").first.flatMap { String($0).percentDecoded } ?? ""
            return !field.isEmpty && !name.isExactly("lang")
        }.map { "&\($0)" }.joined()
        let values: Values = [
            "request_id": context.visitor.requestID, "kept": kept, "has_one_language": request.method == .post,
        ]
        return try message(
            "consent.fault_\(page.rawValue)", [:], .badRequest, on: "error", values.merging(question) { own, _ in own },
            context)
    }

    private func message(
        _ key: String, _ words: Values, _ status: HTTPResponse.Status, on template: String, _ values: Values,
        _ context: AppContext
    ) throws -> Response {
        let sentences: Values = [
            "title": web.pages.sentence("\(key).title", context, words),
            "text": web.pages.sentence("\(key).text", context, words),
        ]
        return try web.pages.render(template, sentences.merging(values) { own, _ in own }, context, status: status)
    }

    /// An answer to the client: a redirect (RFC 9207 names who answers), or a form that the browser
    /// sends (OAuth 2.0 Form Post Response Mode).
    func answer(
        _ target: AuthorizationTarget, _ parameters: KeyValuePairs<String, String?>, _ context: AppContext
    ) throws -> Response {
        let issuer = web.publicURL.text
        guard target.usesForm else {
            return seeOther(target.redirect.adding(parameters).adding(["state": target.state, "iss": issuer]))
        }
        let fields = parameters.map { ($0, $1) } + [("state", target.state), ("iss", issuer)]
        let clients = applications.all.filter { $0.client?.mayRedirect(to: target.redirect) == true }
        let values: Values = [
            "action": target.redirect,
            "policy": web.destinations.headers.policy(alsoTo: clients.flatMap(\.formTargets)),
            "fields": fields.compactMap { name, value in
                value.map { ["name": name, "value": $0] as Values }
            },
        ]
        return try web.pages.render("openid/post", values, context)
    }
}
