import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/applications/{name}/end`: its owner lets an application see nothing any more.
struct ConsentRoutes {
    let store: any ApplicationConsentStore
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        let page = AccountSection.data.path
        routes.signedIn(web, page: page).post("/account/applications/{name}/end") { _, context in
            guard let name = context.parameters.get("name") else { throw HTTPError(.notFound) }
            let event = web.audit.event(.consentEnded, accountID: context.account.id, visitor: context.visitor)
            guard try await store.endConsent(to: name, by: context.record.presented, event: event) else {
                return seeOther(page)
            }
            web.audit.log(event, visitor: context.visitor)
            return try web.say(.consentEnded, on: page)
        }
    }
}

extension SecurityEvent.Kind {
    static let consentEnded = Self("consent_ended", log: "authz_change")
}

extension Notice {
    static let consentEnded = Notice("consent_ended", .done)
}
