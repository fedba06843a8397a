import Hummingbird

/// `/`: the choice between signing in and creating an account.
struct WelcomeRoutes {
    let web: Web

    func add(to routes: Routes) {
        routes.get("/") { request, context in
            if let record = context.session { return seeOther(web.home(record.session, wish: nil)) }
            guard let notice = Notice(request) else { return try web.pages.shared("welcome", request, context) }
            return try web.pages.render("welcome", ["notice": web.pages.sentence(notice.sentenceKey, context)], context)
        }
    }
}
