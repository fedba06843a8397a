import HTTPTypes
import Hummingbird

/// `POST /logout`: ends the session in the store and clears what this site left in the browser.
struct LogoutRoutes {
    let sessions: Sessions
    let web: Web

    func add(to routes: Routes) {
        routes.post("/logout", submit)
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
        var response = try wasSignedIn ? web.say(.signedOut, on: "/") : seeOther("/")
        response.setCookie(web.cookies.clear(.session))
        // The next person at this browser reads no address in a form.
        for kind in [Cookies.Kind.typed, .flow] where web.cookies.value(kind, in: request) != nil {
            response.setCookie(web.cookies.clear(kind))
        }
        // Not "cookies": the device cookie stays, so that others' failures cannot slow this browser down.
        if let clear = HTTPField.Name("Clear-Site-Data") { response.headers[clear] = "\"cache\", \"storage\"" }
        return response
    }
}
