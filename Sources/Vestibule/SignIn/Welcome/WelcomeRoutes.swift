import Essentials
import Hummingbird
import Serving

/// `/`: the choice between signing in and creating an account.
struct WelcomeRoutes {
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/") { request, context in
            let wish = request.uri.queryParameters.get("return_to")
            if let record = context.record { return try web.home(record.session, wish: wish) }
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

/// `POST /switch`: from one form of a stranger to another, or to the same in another language, with
/// what was typed. For browsers without script, where a link would lose it.
struct SwitchRoutes {
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/switch") { request, context in
            let form = try await Form(request)
            let pages = SiteContent.switched
            let page = pages.first(where: form["to"].isExactly) ?? pages[0]
            let before = web.typed.typed(in: request)
            var typed = Typed(
                email: form["email"], displayName: before?.displayName ?? "", remembers: before?.remembers,
                acceptsTerms: before?.acceptsTerms)
            // Not every form asks for the rest; a box that is not ticked is not sent.
            if form.holds("display_name") {
                (typed.displayName, typed.acceptsTerms) = (form["display_name"], form.holds("terms"))
            }
            if form.holds("password") || page == "auth/continue" { typed.remembers = form.holds("remember") }
            let picked = request.uri.queryParameters.get("lang").flatMap { LanguageFile.isCode($0) ? $0 : nil }
            let path = "/\(page)" + (picked.map { "?lang=\($0)" } ?? "")
            return seeOther(web.link(path, returnTo: form["return_to"])).setting(try web.typed.set(typed))
        }
    }
}

/// `/terms` and `/privacy`, from templates the operator replaces.
struct TermsRoutes {
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        for name in ["terms", "privacy"] {
            routes.get(RouterPath("/\(name)")) { request, context in
                try web.pages.shared(name, request, context)
            }
        }
    }
}
