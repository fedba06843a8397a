import Essentials
import Hummingbird
import Serving

extension Web {
    /// 303 to a page of this site, which says it.
    func say(_ flash: Flash, on page: String) throws -> Response {
        try adding(flash, to: seeOther(page))
    }

    /// The same redirect, and the page it leads to says it. Elsewhere nobody would read it, and it
    /// would wait for another page of this site.
    func adding(_ flash: Flash, to response: Response) throws -> Response {
        guard let page = response.headers[.location], page.begins(with: "/"), !page.begins(with: "//") else {
            return response
        }
        return response.setting(try flashes.set(flash))
    }

    /// 303 to a page of this site, which says it.
    func say(_ notice: Notice, on page: String) throws -> Response {
        try say(Flash(notice), on: page)
    }
}
