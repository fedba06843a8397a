import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// Hands a flash to the page it is for, and clears it once a page has said it. The login page also
/// says that a session has ended, and clears the cookie of that. Tells browsers that keep no
/// cookies so.
struct FlashMiddleware: RouterMiddleware {
    let web: Web

    func handle(_ request: Request, context: AppContext, next: Next<AppContext>) async throws -> Response {
        guard request.method == .get, !request.isForAPI, !Mount.isForPrograms(request.uri.path) else {
            return try await next(request, context)
        }
        let value = web.cookies.value(.flash, in: request)
        let endsSession = context.hasDeadSession && request.uri.path == "/login"
        guard value != nil || endsSession, !isBackground(request) else {
            let response = try await next(request, context)
            guard let login = response.headers[.location], isLoggingInAgain(at: login, request),
                // A response that sets a cookie has a message for the login page; the browser may
                // simply have had no cookie yet.
                response.headers[.setCookie] == nil
            else { return response }
            return try web.sayCookieMissing(.cookiesMissing, on: login, request, context)
        }
        var context = context
        let flash = flash(value, endsSession: endsSession)
        context.announcement = flash.map { Announcement(flash: $0, sentence: web.pages.sentence($0, context)) }
        var response = try await next(request, context)
        // A redirect leaves it for the page it leads to.
        guard flash == nil || response.headers[.contentType]?.begins(with: "text/html") == true else { return response }
        if value != nil { response.setCookie(web.cookies.clear(.flash)) }
        if endsSession { response.setCookie(web.cookies.clear(.session)) }
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// Whether this browser comes from the login, has sent back none of its cookies, and is led
    /// there again.
    private func isLoggingInAgain(at location: String, _ request: Request) -> Bool {
        let page = request.headers.said(HTTPField.Name("Referer"))
        return request.headers[.cookie] == nil && location.begins(with: "/login")
            && page?.begins(with: web.publicURL.url("/login")) == true
    }

    private func flash(_ value: String?, endsSession: Bool) -> Flash? {
        let flash = value.flatMap(web.flashes.flash)
        guard endsSession, flash == nil || flash?.notice == .signInFirst else { return flash }
        return Flash(.sessionOver)
    }

    /// Whether the visitor may never see the answer.
    private func isBackground(_ request: Request) -> Bool {
        NavigationSource(request, publicURL: web.publicURL.origin) == .background
    }
}
