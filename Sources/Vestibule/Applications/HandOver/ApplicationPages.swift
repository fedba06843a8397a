import Essentials
import HTTPTypes
import Hummingbird
import Logging
import Serving

/// Pages on an application's host: style and pictures come from `/.vestibule/` there, since pages
/// load nothing from other origins.
struct ApplicationPages: Sendable {
    let web: Web

    /// The page that ends a hand-over and names the cause.
    func problem(
        _ problem: HandOverProblem, at host: ApplicationHost?, _ context: some VisitorContext
    ) throws -> Response {
        web.audit.write(
            .warning, "handover_failed", from: context.visitor.client.description,
            ["cause": "\(problem.name)", "origin": "\(origin(problem, host))"])
        let words = words(problem, host)
        return try page(
            "handover.\(problem.name)", words, link: link(problem, host), context,
            status: status(problem))
    }

    private func status(_ problem: HandOverProblem) -> HTTPResponse.Status {
        // Anybody can name a host: that is no fault of the server.
        if case .unknownHost = problem { return .forbidden }
        return problem.isConfiguration ? .internalServerError : .badRequest
    }

    /// For somebody who is signed in and in none of the application's groups.
    func notAdmitted(
        to application: ProtectedApplication, _ record: SessionRecord, _ context: some VisitorContext
    ) throws -> Response {
        try page(
            "handover.not_admitted", ["label": application.label, "email": record.account.email.typed],
            link: (web.publicURL.url("/account"), "handover.your_account"), context, status: .forbidden)
    }

    func askSignOut(_ host: ApplicationHost, _ context: some VisitorContext) throws -> Response {
        try page(
            "handover.sign_out", ["label": host.application.label], link: ("/", "handover.stay"), context,
            form: ["action": "/.vestibule/logout", "button": web.pages.sentence("handover.sign_out_button", context)])
    }

    /// From an application's host, signing out leads to the sign-in: browsers apply `form-action`
    /// to redirects, too.
    private var policy: String {
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' \(web.publicURL.origin.text); "
            + "base-uri 'none'; frame-ancestors 'none'"
    }

    private func words(_ problem: HandOverProblem, _ host: ApplicationHost?) -> Values {
        var words: Values = ["label": host?.application.label ?? web.publicURL.origin.host]
        switch problem {
        case .otherScheme(let expected): words["url"] = expected.text
        case .hostChanged(let from, let to): (words["url"], words["host"]) = (from, to)
        case .unknownHost, .cookieRefused, .cookieNotPassedOn, .spent: words["url"] = origin(problem, host)
        }
        return words
    }

    /// What the request came to.
    private func origin(_ problem: HandOverProblem, _ host: ApplicationHost?) -> String {
        switch problem {
        case .unknownHost(let origin), .hostChanged(_, let origin): origin
        case .otherScheme, .cookieRefused, .cookieNotPassedOn, .spent: host?.origin.text ?? ""
        }
    }

    private func link(_ problem: HandOverProblem, _ host: ApplicationHost?) -> (url: String, key: String)? {
        switch problem {
        case .otherScheme(let expected): (expected.text + "/", "handover.again")
        case .unknownHost, .hostChanged: nil
        case .cookieRefused, .cookieNotPassedOn, .spent: host.map { ($0.origin.text + "/", "handover.again") }
        }
    }

    private func page(
        _ key: String, _ words: Values, link: (url: String, key: String)?, _ context: some VisitorContext,
        form: Values? = nil, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var values: Values = [
            "files": ApplicationHostRoutes.prefix,
            "title": web.pages.sentence("\(key).title", context, words),
            "text": web.pages.sentence("\(key).text", context, words),
        ]
        if let link {
            values["link"] = ["url": link.url, "label": web.pages.sentence(link.key, context, words)] as Values
        }
        if let form { values["form"] = form }
        var response = try web.pages.render("application/message", values, context, status: status)
        response.headers[.contentSecurityPolicy] = policy
        return response
    }
}
