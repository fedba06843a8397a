import Essentials
import Hummingbird
import Serving

/// Keeps where the visitor wanted to go through forms and links.
enum LinkValues {
    /// From a page's query.
    static func of(_ request: Request, _ web: Web) -> Values {
        of(request.uri.queryParameters.get("return_to"), web)
    }

    /// From a form's hidden field. `return_to` fills the field, `return_to_encoded` the links.
    static func of(_ wish: String?, _ web: Web) -> Values {
        guard let granted = web.returnTo.granted(wish) else { return [:] }
        return ["return_to": granted, "return_to_encoded": granted.queryEncoded]
    }
}

extension Web {
    /// A page of this site, with where the visitor wanted to go, if that may be granted.
    func link(_ page: String, returnTo wish: String?) -> String {
        guard let query = LinkValues.of(wish, self)["return_to_encoded"] as? String else { return page }
        return page + (page.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "return_to=\(query)"
    }
}
