import HTTPTypes
package import Hummingbird
import NIOCore

/// First in line: pages that are the same for everybody go out as they were made at start, headers and all, before a
/// request is looked at any further. Whoever brings a cookie or a query goes on to the routes.
package struct SharedPages: HTTPResponder {
    package typealias Context = AppContext

    /// One page in one language.
    struct Kept: Sendable {
        let headers: HTTPFields
        let body: ByteBuffer
    }

    private let pages: [String: [String: Kept]]
    private let languages: Languages
    private let next: RouterResponder<AppContext>

    init(
        _ pages: Pages, headers: HTTPFields, languages: Languages, closedSignup: Bool,
        next: RouterResponder<AppContext>
    ) {
        var kept: [String: [String: Kept]] = [:]
        for (name, byLocale) in pages.shared where !(closedSignup && name == "signup") {
            kept[name == "welcome" ? "/" : "/\(name)"] = byLocale.mapValues { page in
                var page = (headers: page.headers, body: page.body)
                page.headers.append(contentsOf: headers)
                return Kept(headers: page.headers, body: page.body)
            }
        }
        self.pages = kept
        self.languages = languages
        self.next = next
    }

    package func respond(to request: Request, context: AppContext) async throws -> Response {
        guard request.method == .get, let path = request.head.path, let page = pages[path],
            request.headers[.cookie] == nil, let kept = page[languages.preferred(request)]
        else { return try await next.respond(to: request, context: context) }
        if let etag = request.headers[.ifNoneMatch], etag == kept.headers[.eTag] {
            return Response(status: .notModified, headers: kept.headers)
        }
        return Response(status: .ok, headers: kept.headers, body: .init(byteBuffer: kept.body))
    }
}
