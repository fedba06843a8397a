import Hummingbird
import Serving

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
