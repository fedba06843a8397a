import Hummingbird
import Serving

/// `/account/trusted/{id}/end`. To be asked for the second step again opens nothing: no proof.
struct TrustedBrowserRoutes {
    let browsers: TrustedBrowsers
    let web: Web
    private static let page = AccountSection.devices.path

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(web, page: Self.page)
        group.post("/account/trusted/{id}/end") { _, context in
            let id = try context.parameters.require("id")
            _ = try context.form()
            let isEnded = try await browsers.end(id, by: context.record, visitor: context.visitor)
            return try web.say(isEnded ? .trustEnded : .goneAlready, on: Self.page)
        }
        routes.get("/account/trusted/{id}/end") { _, _ in seeOther(Self.page) }
    }
}

extension Notice {
    static let trustEnded = Notice("trust_ended", .done)
}
