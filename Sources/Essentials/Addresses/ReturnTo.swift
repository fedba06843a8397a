import Foundation

/// A path of this site: starts with one slash, no backslash, no control characters, so no browser
/// takes it for another host.
package struct LocalPath: Sendable, Equatable {
    package let text: String

    package init?(_ text: String) {
        let harmless = text.unicodeScalars.allSatisfy {
            $0.isASCII && $0.value > 0x20 && $0.value != 0x7f && $0 != "\\"
        }
        guard harmless, text.begins(with: "/"), !text.begins(with: "//"), text.utf8.count <= 2048 else { return nil }
        self.text = text
    }
}

/// Decides where a visitor may be sent after signing in: a path of this site or an allowed origin.
package struct ReturnTo: Sendable {
    let allowed: Set<Origin>
    let afterLogin: String

    /// `afterLogin` is where to go without a wish.
    package init(allowed: Set<Origin>, afterLogin: String) {
        self.allowed = allowed
        self.afterLogin = afterLogin
    }

    /// The wish if it may be granted; anything else is dropped.
    package func granted(_ wish: String?) -> String? {
        guard let wish, !wish.isEmpty, wish.utf8.count <= 2048 else { return nil }
        if let path = LocalPath(wish) { return path.text }
        if wish.isExactly(afterLogin) { return wish }
        guard let origin = Origin(ofURL: wish), allowed.contains(origin) else { return nil }
        return wish
    }

    /// Where to go after signing in.
    package func destination(_ wish: String?) -> String {
        granted(wish) ?? afterLogin
    }
}
