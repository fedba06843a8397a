import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `POST /logout`: ends the session in the store and clears what this site left in the browser.
/// With `return_to` it leads to the sign-in, and from there to that address.
struct LogoutRoutes {
    let sessions: Sessions
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/logout") { request, context in
            let form = try await Form(request)
            if let record = context.record {
                try verify(form, of: record.session, request, context)
                do {
                    try await sessions.signOut(record, visitor: context.visitor)
                } catch let fault as StoreUnavailable {
                    RefusedRequest.note(fault, request, context, web.audit)
                    throw Refusal.signOutFailed
                }
            }
            let wasSignedIn = context.session != nil || context.hasDeadSession
            let next = form.holds("return_to") ? web.link("/login", returnTo: form["return_to"]) : "/"
            let goesOn = form["return_to"].isExactly(web.publicURL.local("/auth/continue"))
            return web.leaving(
                try wasSignedIn ? web.say(.signedOut, on: next) : seeOther(next), request, goesOn: goesOn)
        }
    }

    /// Throws 403 unless the form carries this session's token, or the browser says that a page of
    /// this site sent it: a tab from before the last sign-in carries the token of the session then,
    /// and who signs out there means it. For this the browser's word is enough: all that a forgery
    /// could do is end a session.
    private func verify(_ form: Form, of session: Session, _ request: Request, _ context: AppContext) throws {
        guard RequestSource(request, publicURL: web.publicURL.origin) != .ourPage else { return }
        guard try web.formTokens.verify(form, of: session, request, context.visitor) else {
            throw HTTPError(.forbidden)
        }
    }
}
