import Essentials
import Hummingbird
import Serving

/// `POST /switch`: from one form of a stranger to another, or to the same in another language, with
/// what was typed. For browsers without script, where a link would lose it.
struct SwitchRoutes {
    let web: Web
    /// The pages with such a form, which has the page's name as its id.
    static let pages = ["login", "signup", "reset"]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/switch") { request, context in
            let form = try await Form(request)
            let page = Self.pages.first(where: form["to"].isExactly) ?? Self.pages[0]
            // Not every form asks for the name.
            let name = form.holds("display_name") ? form["display_name"] : web.typed.typed(in: request)?.displayName
            let typed = Typed(email: form["email"], displayName: name ?? "")
            let picked = request.uri.queryParameters.get("lang").flatMap { LanguageFile.isCode($0) ? $0 : nil }
            let path = "/\(page)" + (picked.map { "?lang=\($0)" } ?? "")
            return seeOther(web.link(path, returnTo: form["return_to"])).setting(try web.typed.set(typed))
        }
    }
}

extension Web {
    /// A page of ours, with where the visitor wanted to go, if that may be granted.
    func link(_ page: String, returnTo wish: String?) -> String {
        guard let query = LinkValues.of(wish, self)["return_to_encoded"] as? String else { return page }
        return page + (page.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "return_to=\(query)"
    }
}
