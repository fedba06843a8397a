import Essentials
import Hummingbird
import Serving

/// `/enter`: where the sign-in gives a ticket to somebody who is signed in, and sends others to
/// sign in first.
struct EnterRoutes {
    let handOver: HandOver
    let applications: Applications
    let refusals: EntryRefusals
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/enter") { request, context in
            let pages = ApplicationPages(web: web)
            let text = request.uri.queryParameters.get("request") ?? ""
            guard let wish = handOver.wish(text), let application = applications.application(at: wish.origin) else {
                return try pages.problem(.spent, at: nil, context)
            }
            let here = web.publicURL.local("/enter?request=\(text)")
            guard let record = context.record else {
                // Nobody signs in to sign out.
                guard wish.target.text != ApplicationHostRoutes.signOutPath else {
                    return seeOther(wish.origin.text + "/")
                }
                return seeOther(web.link("/login", returnTo: here))
            }
            guard !record.isHeldBack else { return try web.home(record.session, wish: here) }
            guard application.admits(groups: record.account.groups) else {
                await refusals.noteEntry(
                    of: record.accountID, at: ["origin": wish.origin.text], from: context.peer,
                    visitor: context.visitor)
                let signOut: Values = [
                    "action": web.publicURL.url("/logout"), "csrf": web.formTokens.token(of: record.session),
                    "return_to": here,
                ]
                return try pages.notAdmitted(to: application, record, signOut: signOut, context)
            }
            let ticket = try await handOver.ticket(for: wish, record)
            return seeOther("\(wish.origin.text)\(ApplicationHostRoutes.prefix)/enter?ticket=\(ticket.text)")
        }
    }
}
