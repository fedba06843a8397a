package import Essentials
import HTTPTypes
import Hummingbird

/// The path that the site is mounted at. Routes, templates and redirects know pages by what follows
/// it: requests lose it before the routes, and locations get it after them. Nothing is done where
/// the site has an origin of its own.
package struct Mount: Sendable {
    private let publicURL: PublicURL
    private let outside: Set<String>
    private let otherHosts: Set<String>

    /// By their first segment: what programs ask for `outside` of the path as well, and, among
    /// that, what tells of `otherHosts`, so that its locations stay as they are.
    package init(_ publicURL: PublicURL, outside: Set<String>, otherHosts: Set<String>) {
        (self.publicURL, self.outside, self.otherHosts) = (publicURL, outside, otherHosts)
    }

    private var isNowhere: Bool { publicURL.path.isEmpty }

    /// The same targets, as browsers ask for them.
    package func targets<Value>(_ values: [String: Value]) -> [String: Value] {
        var targets = values.reduce(into: [:]) { $0[publicURL.local($1.key)] = $1.value }
        if !isNowhere { targets[publicURL.path] = values["/"] }
        return targets
    }

    /// The request as the routes know it. One from outside asks for what no route has.
    func inward(_ request: Request) -> Request {
        guard !isNowhere else { return request }
        let target = Self.target(of: request)
        guard let page = publicURL.page(at: target) else {
            let isOpen = outside.contains(Self.firstSegment(of: target))
            return isOpen ? request : request.asking(for: "/.outside\(target)")
        }
        return request.asking(for: String(page))
    }

    /// The response to what `inward` returned, as browsers read it.
    func outward(_ response: Response, to request: Request) -> Response {
        guard !isNowhere, !otherHosts.contains(Self.firstSegment(of: request.uri.path)) else { return response }
        var response = response
        for name in [HTTPField.Name.location, .vestibuleLocation] {
            if let location = response.headers[name] { response.headers[name] = outward(location) }
        }
        return response
    }

    /// `ReturnTo` writes paths of the origin that are outside as whole URLs.
    private func outward(_ location: String) -> String {
        if location.begins(with: "/") { return publicURL.local(location) }
        // By itself, `//example.com` is another host.
        guard let rest = location.after(publicURL.origin.text), rest.begins(with: "/"), !rest.begins(with: "//")
        else { return location }
        return String(rest)
    }

    /// Path and query, without the authority of the absolute form (RFC 9112 section 3.2.2).
    private static func target(of request: Request) -> String {
        if let path = request.head.path, path.begins(with: "/") { return path }
        return request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")
    }

    package static func firstSegment(of target: String) -> String {
        String(Substring(target.utf8.dropFirst().prefix { !"/?".utf8.contains($0) }))
    }
}

extension Request {
    fileprivate func asking(for target: String) -> Request {
        var head = head
        head.path = target
        return Request(head: head, body: body)
    }
}
