import Hummingbird
import Serving

/// `/`: the choice between signing in and creating an account.
struct WelcomeRoutes {
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/") { request, context in
            let wish = request.uri.queryParameters.get("return_to")
            if let record = context.record { return seeOther(web.home(record.session, wish: wish)) }
            let values = LinkValues.of(wish, web)
            guard !values.isEmpty || web.cookies.value(.typed, in: request) != nil else {
                return try web.pages.shared("welcome", request, context)
            }
            let page = try web.pages.render("welcome", values, context)
            // A code that is awaited may still have to go to another address.
            return web.cookies.value(.flow, in: request) == nil ? page.forgettingTyped(request, web) : page
        }
    }
}
