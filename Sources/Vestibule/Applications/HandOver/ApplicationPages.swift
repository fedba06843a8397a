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
        var words: Values = ["label": host?.application.label ?? web.publicURL.origin.host]
        let here = host?.origin.text
        var (origin, url, again) = (here ?? "", here ?? "", here)
        switch problem {
        case .otherScheme(let expected): (url, again) = (expected.text, expected.text)
        case .unknownHost(let name): (origin, url) = (name, name)
        case .hostChanged(let from, let to): (origin, url, words["host"]) = (to, from, to)
        case .cookieRefused, .cookieNotPassedOn, .spent, .untrusted: break
        }
        words["url"] = url
        problem.note(in: web.audit, at: origin, context)
        let home = problem == .spent ? (web.publicURL.url("/"), "failure.home") : nil
        return try page(
            "handover.\(problem.name)", words, link: again.map { ($0 + "/", "handover.again") } ?? home, context,
            status: problem.status)
    }

    /// For somebody who is signed in and in none of the application's groups. `signOut`: action and
    /// hidden fields of the form that leads to another account.
    func notAdmitted(
        to application: ProtectedApplication, _ record: SessionRecord, signOut: Values, _ context: some VisitorContext
    ) throws -> Response {
        let words = ["button": "consent.other", "note": "consent.other_ends"].mapValues {
            web.pages.sentence($0, context)
        }
        return try page(
            "handover.not_admitted", ["label": application.label, "email": record.account.email.typed],
            link: (web.publicURL.url("/account"), "handover.your_account"), context,
            form: signOut.merging(words) { $1 }, status: .forbidden)
    }

    /// For a form that came without a session, or after its end.
    func sessionOver(
        of application: ProtectedApplication, at origin: Origin, _ context: some VisitorContext
    ) throws -> Response {
        try page(
            "handover.session_over", ["label": application.label],
            link: (origin.text + "/", "login.window"), context, status: .unauthorized)
    }

    func askSignOut(_ host: ApplicationHost, _ context: some VisitorContext) throws -> Response {
        try page(
            "handover.sign_out", ["label": host.application.label], link: ("/", "handover.stay"), context,
            form: [
                "action": ApplicationHostRoutes.signOutPath,
                "button": web.pages.sentence("handover.sign_out_button", context),
            ])
    }

    /// From an application's host, signing out leads to the sign-in: browsers apply `form-action`
    /// to redirects, too.
    private var policy: String {
        "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; "
            + "form-action 'self' \(web.publicURL.origin.text); base-uri 'none'; frame-ancestors 'none'"
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

/// Why a hand-over to an application ends: a page names it, in place of a redirect loop.
enum HandOverProblem: Error, Equatable {
    /// The browser does not send back the cookie that its hand-over is bound to.
    case cookieRefused
    /// The browser has the application's cookie, but the proxy's question came without it.
    case cookieNotPassedOn
    /// The application was opened by http where the settings name https, or the other way round.
    case otherScheme(expected: Origin)
    /// No application has that host.
    case unknownHost(String)
    /// The proxy asks with another `Host` than the browser, as it says itself.
    case hostChanged(from: String, to: String)
    /// The ticket or the link was used before, or came too late.
    case spent
    /// The peer is no trusted proxy.
    case untrusted

    /// Ends the keys of its sentence; stands in the log.
    var name: String {
        switch self {
        case .cookieRefused: "cookie_refused"
        case .cookieNotPassedOn: "cookie_not_passed_on"
        case .otherScheme: "other_scheme"
        case .unknownHost: "unknown_host"
        case .hostChanged: "host_changed"
        case .spent: "spent"
        case .untrusted: "untrusted"
        }
    }

    var status: HTTPResponse.Status {
        switch self {
        case .spent, .cookieRefused: .badRequest
        // Anybody can name a host: that is no fault of the server.
        case .unknownHost, .untrusted: .forbidden
        case .cookieNotPassedOn, .otherScheme, .hostChanged: .internalServerError
        }
    }

    /// Tells the operator.
    func note(in audit: Audit, at origin: String, _ context: some VisitorContext) {
        audit.write(
            .warning, "handover_failed", from: context.visitor.client.description,
            ["cause": "\(name)", "origin": "\(origin)", "request_id": "\(context.visitor.requestID)"])
    }
}
