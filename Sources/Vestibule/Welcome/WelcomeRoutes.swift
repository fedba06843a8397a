import Hummingbird

/// `/`: the choice between signing in and creating an account.
struct WelcomeRoutes {
    let web: Web

    func add(to routes: Routes) {
        routes.get("/") { request, context in
            guard context.session == nil else { return seeOther(web.returnTo.destination(nil)) }
            return try web.pages.shared("welcome", request, context)
        }
    }
}
