import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// `/.vestibule/…`, which the proxy in front of an application's host hands over.
struct ApplicationHostRoutes {
    let handOver: HandOver
    let hosts: ApplicationHosts
    let sessions: ApplicationSessions
    let files: StaticFiles
    let web: Web

    static let prefix = "/.vestibule"
    static let signOutPath = "\(prefix)/logout"
    /// Their forms come from the application's origin.
    static let pathsWithOwnCheck: Set = [signOutPath]
    private var pages: ApplicationPages { ApplicationPages(web: web) }
    private var stateCookie: StartCookie { StartCookie(key: web.key) }

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.group(RouterPath(Self.prefix))
        group.get("start") { try await answer($0, $1, start) }
        group.get("enter") { try await answer($0, $1, enter) }
        group.get("logout") { request, context in
            try await answer(request, context) { host, _, context in try pages.askSignOut(host, context) }
        }
        group.post("logout") { try await answer($0, $1, logOut) }
        group.get("**") { request, _ in
            guard let file = try files.response(to: request, under: Self.prefix) else { throw HTTPError(.notFound) }
            return file
        }
    }

    private typealias Handler = (ApplicationHost, Request, AppContext) async throws -> Response

    private func answer(_ request: Request, _ context: AppContext, _ handler: Handler) async throws -> Response {
        do {
            return try await handler(hosts.host(request, context), request, context)
        } catch let problem as HandOverProblem {
            return try pages.problem(problem, at: nil, context)
        }
    }

    private func start(_ host: ApplicationHost, _ request: Request, _ context: AppContext) async throws -> Response {
        guard let target = RequestTarget(request.uri.queryParameters.get("to") ?? "/") else {
            throw HTTPError(.badRequest)
        }
        let state = stateCookie.state(in: request, host.cookies) ?? StartState(from: handOver.random)
        // Another page that was opened at the same time has entered meanwhile.
        if let record = try await session(host, request), !record.isHeldBack {
            guard !state.isLooping(to: target.text, now: web.now()) else {
                return try pages.problem(.cookieNotPassedOn, at: host, context)
            }
            return seeOther(host.origin.text + target.text).setting(
                try stateCookie.set(state.returning(to: target.text, now: web.now()), host.cookies))
        }
        // Login leads on to what holds a session back.
        guard !host.isPublicOrigin else {
            return seeOther(web.publicURL.url(web.link("/login", returnTo: target.text)))
        }
        guard let browser = state.browser else { throw HTTPError(.badRequest) }
        let isRetry = request.uri.queryParameters.get("again") != nil
        let wish = HandOverWish(origin: host.origin, target: target, browser: browser.digest, isRetry: isRetry)
        return seeOther(web.publicURL.url("/enter?request=\(try handOver.sealed(wish))"))
            .setting(try stateCookie.set(state, host.cookies))
    }

    /// What the application's cookie opens.
    private func session(_ host: ApplicationHost, _ request: Request) async throws -> SessionRecord? {
        guard let token = host.cookie.token(in: request.headers) else { return nil }
        return try await sessions.resume(token, at: host.origin).value
    }

    /// The start of the hand-over.
    private func start(_ host: ApplicationHost, to target: String, isRetry: Bool = false) -> Response {
        seeOther("\(host.origin.text)\(Self.prefix)/start?\(isRetry ? "again=1&" : "")to=\(target.queryEncoded)")
    }

    private func enter(_ host: ApplicationHost, _ request: Request, _ context: AppContext) async throws -> Response {
        let state = stateCookie.state(in: request, host.cookies)
        guard let text = request.uri.queryParameters.get("ticket"), let presented = Token(presented: text),
            let redeemed = try await handOver.redeem(
                presented, at: host.origin, browser: state?.browser, requiresFactor: sessions.sessions.requiresFactor)
        else { return try pages.problem(.spent, at: host, context) }
        let (ticket, token) = redeemed
        switch ticket.outcome {
        case .entered(let session):
            return seeOther(host.origin.text + ticket.target).setting(
                host.cookies.set(.application, token.text, maxAge: session.lifetime.cookieAge(at: web.now())))
        // With a cookie: the one that this ticket is bound to was set anew for another page.
        case .otherBrowser where !ticket.isRetry || state != nil:
            return start(host, to: ticket.target, isRetry: true)
        case .otherBrowser: return try pages.problem(.cookieRefused, at: host, context)
        case .spent: return try pages.problem(.spent, at: host, context)
        }
    }

    private func logOut(_ host: ApplicationHost, _ request: Request, _ context: AppContext) async throws -> Response {
        guard RequestSource(request, publicURL: host.origin) != .elsewhere else {
            web.audit.log(.crossSite, visitor: context.visitor, path: request.uri.path)
            throw HTTPError(.forbidden)
        }
        let isPage = request.headers.isPageVisit
        if let record = try await session(host, request) {
            try await sessions.sessions.signOut(record, visitor: context.visitor)
        } else if !host.isPublicOrigin {
            // The person may still be signed in, and would enter again unasked. Once this host has
            // a cookie again, the page at that path asks, and signs out.
            return isPage ? start(host, to: Self.signOutPath) : Response(status: .unauthorized)
        }
        let response = isPage ? seeOther(host.origin.text + "/") : Response(status: .noContent)
        return host.isPublicOrigin
            ? web.leaving(response, request) : response.setting(host.cookies.clear(.application))
    }
}
