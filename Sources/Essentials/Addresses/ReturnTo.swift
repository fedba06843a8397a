/// A path of the public origin: starts with one slash, no backslash, no control characters, so no
/// browser takes it for another host.
package struct LocalPath: Sendable, Equatable {
    let text: String

    package init?(_ text: String) {
        let harmless = text.unicodeScalars.allSatisfy {
            $0.isASCII && $0.value > 0x20 && $0.value != 0x7f && $0 != "\\"
        }
        guard harmless, text.begins(with: "/"), !text.begins(with: "//"), text.utf8.count <= 2048 else { return nil }
        self.text = text
    }
}

/// Decides where a visitor may be sent after signing in: a path of the public origin, as browsers
/// see it, or a URL of an allowed origin.
package struct ReturnTo: Sendable {
    private let publicURL: PublicURL
    private let allowed: Set<Origin>
    /// Where to go without a wish.
    package let afterLogin: String

    /// `allowed` are the origins besides the public one.
    package init(_ publicURL: PublicURL, allowed: [Origin], afterLogin: String) {
        self.publicURL = publicURL
        self.allowed = Set(allowed + [publicURL.origin])
        self.afterLogin = afterLogin
    }

    /// The wish if it may be granted, as it is; anything else is dropped.
    package func granted(_ wish: String?) -> String? {
        guard let wish, !wish.isEmpty, wish.utf8.count <= 2048 else { return nil }
        if let path = LocalPath(wish) { return path.text }
        if wish.isExactly(afterLogin) { return wish }
        guard let origin = Origin(ofURL: wish), allowed.contains(origin) else { return nil }
        return wish
    }

    /// Where to go after signing in: a page of this site, or a URL.
    package func destination(_ wish: String?) -> String {
        let wish = granted(wish) ?? afterLogin
        guard LocalPath(wish) != nil else { return wish }
        return publicURL.page(at: wish).map(String.init) ?? publicURL.origin.text + wish
    }
}
