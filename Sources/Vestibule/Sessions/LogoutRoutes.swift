import HTTPTypes
import Hummingbird

/// `POST /logout`: ends the session in the store and clears what this site left in the browser.
struct LogoutRoutes {
    let sessions: Sessions
    let web: Web

    func add(to routes: Routes) {
        routes.post("/logout") { request, context in
            let form = try await Form(request)
            if let token = context.sessionToken, let record = context.session {
                try web.guardian.checkSignOut(form, request, context)
                try await sessions.end(token, of: record, visitor: context.visitor)
            }
            var response = seeOther("/").setting(web.cookies.clear(.session))
            // Not "cookies": the device cookie stays, so that others' failures cannot slow this browser down.
            if let clear = HTTPField.Name("Clear-Site-Data") { response.headers[clear] = "\"cache\", \"storage\"" }
            return response
        }
    }
}
