/// Where people find the site: an origin and, where it is mounted under one, a path.
package struct PublicURL: Sendable, Hashable, CustomStringConvertible {
    package let origin: Origin
    /// Empty, or such as `/auth` and `/a/b`: never with a slash at its end.
    package let path: String

    /// An http or https URL. A trailing slash is forgiven; the path has segments of unreserved
    /// characters only (RFC 3986 section 2.3), no `.` or `..`.
    package init?(_ text: String) {
        let start = Self.pathStart(in: text.utf8)
        guard let origin = Origin(String(Substring(text.utf8[..<start]))),
            let path = Self.path(Substring(text.utf8[start...]))
        else { return nil }
        (self.origin, self.path) = (origin, path)
    }

    package var text: String { origin.text + path }
    package var description: String { text }
    package var isSecure: Bool { origin.isSecure }

    /// The URL of a page of this site, such as `/login`; without one the welcome page.
    package func url(_ page: String = "/") -> String { text + page }

    /// The path of a page of this site as browsers ask for it.
    package func local(_ page: String) -> String { path + page }

    /// What follows the path in that path and query of the origin; nil outside of this site.
    package func page(at target: some StringProtocol) -> Substring? {
        guard target.utf8.starts(with: path.utf8) else { return nil }
        let rest = target.utf8.dropFirst(path.utf8.count)
        guard let next = rest.first else { return path.isEmpty ? nil : "/" }
        if next == UInt8(ascii: "/") { return Substring(decoding: rest, as: UTF8.self) }
        let endsPath = next == UInt8(ascii: "?") && !path.isEmpty
        return endsPath ? Substring("/" + String(decoding: rest, as: UTF8.self)) : nil
    }

    /// The first slash behind the authority, or the end.
    private static func pathStart(in text: String.UTF8View) -> String.Index {
        let slash = UInt8(ascii: "/")
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8) else {
            return text.endIndex
        }
        return text[colon...].dropFirst(3).firstIndex(of: slash) ?? text.endIndex
    }

    private static func path(_ text: Substring) -> String? {
        guard text.utf8.count > 1 else { return "" }
        let segments = (text.before("/") ?? text).parts(by: "/").dropFirst()
        let areClear = segments.allSatisfy { segment in
            segment.utf8.allSatisfy(\.isUnreserved)
                && !["", ".", ".."].contains(where: segment.isExactly)
        }
        return areClear ? segments.map { "/\($0)" }.joined() : nil
    }
}
