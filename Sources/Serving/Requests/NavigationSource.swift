package import Essentials
import HTTPTypes
package import Hummingbird

/// How a visitor came to an address that begins something, as far as the browser says (Fetch
/// Metadata, then `Referer`).
package enum NavigationSource: Equatable {
    /// Nobody looks at the answer: an image, a frame, a script's request, or a guess at the next
    /// page.
    case background
    /// A link on a page of this site.
    case ourPage
    /// Typed, a bookmark, or a link in a program that is no browser.
    case addressBar
    /// A link on a page of another origin.
    case elsewhere
    /// The browser does not say.
    case unknown

    package init(_ request: Request, publicURL: Origin) {
        guard request.method == .get, request.headers.isNavigation else {
            self = .background
            return
        }
        switch request.headers.said(HTTPFields.secFetchSite) {
        case "same-origin"?: self = .ourPage
        case "none"?: self = .addressBar
        case .some: self = .elsewhere
        case nil:
            let isOurs =
                request.headers.said(HTTPField.Name("Referer")).flatMap { Origin(ofURL: $0) }?.text == publicURL.text
            self = isOurs ? .ourPage : .unknown
        }
    }
}
