import Essentials
import Hummingbird
import Serving

/// `POST /switch`: from one form of a stranger to another, or to the same in another language, with
/// what was typed. For browsers without script, where a link would lose it.
struct SwitchRoutes {
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/switch") { request, context in
            let form = try await Form(request)
            let pages = SiteContent.switched
            let page = pages.first(where: form["to"].isExactly) ?? pages[0]
            // Not every form asks for the name.
            let name = form.holds("display_name") ? form["display_name"] : web.typed.typed(in: request)?.displayName
            let typed = Typed(email: form["email"], displayName: name ?? "")
            let picked = request.uri.queryParameters.get("lang").flatMap { LanguageFile.isCode($0) ? $0 : nil }
            let path = "/\(page)" + (picked.map { "?lang=\($0)" } ?? "")
            return seeOther(web.link(path, returnTo: form["return_to"])).setting(try web.typed.set(typed))
        }
    }
}
