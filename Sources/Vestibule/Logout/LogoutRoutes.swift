import HTTPTypes
import Hummingbird
import Serving

/// `POST /logout`: ends the session in the store and clears what this site left in the browser.
struct LogoutRoutes {
    let sessions: Sessions
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/logout", use: submit)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        if let token = context.sessionToken, let record = context.session {
            try web.guardian.checkSignOut(form, request, context)
            do {
                try await sessions.end(token, of: record, visitor: context.visitor)
            } catch let fault as StoreUnavailable {
                RefusedRequest.note(fault, request, context, web.audit)
                throw Refusal.signOutFailed
            }
        }
        let wasSignedIn = context.session != nil || context.hasDeadSession
        return web.leaving(try wasSignedIn ? web.say(.signedOut, on: "/") : seeOther("/"), request)
    }
}

extension Web {
    /// The same response, which also makes the browser forget the session and what its user left
    /// here: the next person at it reads no address in a form.
    func leaving(_ response: Response, _ request: Request) -> Response {
        var response = response.setting(cookies.clear(.session)).forgettingTyped(request, self)
        if cookies.value(.flow, in: request) != nil { response.setCookie(cookies.clear(.flow)) }
        // Not "cookies": the device cookie stays, so that others' failures cannot slow this browser
        // down.
        if let clear = HTTPField.Name("Clear-Site-Data") { response.headers[clear] = "\"cache\", \"storage\"" }
        return response
    }
}
