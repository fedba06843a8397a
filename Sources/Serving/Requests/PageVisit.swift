import Essentials
package import HTTPTypes

extension HTTPFields {
    /// Whether a person waits for a page: not a script, an image, a frame or a guess at the next
    /// page, as far as the browser says (Fetch Metadata; before it, `X-Requested-With`).
    package var isNavigation: Bool { isNavigation(for: ["document"]) }

    /// The same on an application's host, where a service worker of the application may pass a
    /// visit on: that names no destination any more. The mode is enough, since no script can make a
    /// request of that mode. A frame whose worker passes it on is taken for a page; ours refuse to
    /// be framed.
    package var isPageVisit: Bool { isNavigation(for: ["document", "empty"]) }

    private func isNavigation(for destinations: Set<String>) -> Bool {
        let isGuess = Self.guessFields.contains { name in
            self[name].map { $0.utf8.starts(with: "prefetch".utf8) } ?? false
        }
        let (destination, mode) = (said(Self.secFetchDest), said(Self.secFetchMode))
        // Android's apps name themselves in `X-Requested-With` when they show a page.
        let isScript = destination == nil && mode == nil && said(Self.xRequestedWith) != nil
        let isNavigation = destination == "empty" ? mode == "navigate" : mode ?? "navigate" == "navigate"
        return !isGuess && !isScript && destinations.contains(destination ?? "document") && isNavigation
    }

    /// Whether `Accept` names HTML; a wildcard, which scripts send, does not (RFC 9110 section
    /// 12.5.1).
    package var acceptsHTML: Bool {
        self[values: .accept].contains { line in
            // As every browser begins.
            line.utf8.starts(with: "text/html,".utf8)
                || line.parts(by: ",").contains { range in
                    let type = range.parts(by: ";")[0].trimmingSpaces.asciiLowercased
                    return type == "text/html" || type == "application/xhtml+xml"
                }
        }
    }

    /// Whether a page of another site sent it, as the browser says.
    package var isCrossSite: Bool { said(Self.secFetchSite) == "cross-site" }

    /// Whether a page of this origin sent it, as the browser says.
    package var isSameOrigin: Bool { said(Self.secFetchSite) == "same-origin" }

    /// Whether no page sent it, as the browser says: a link of a mail, or an address typed in.
    package var isFromNoPage: Bool { said(Self.secFetchSite) == "none" }

    /// The value of that header; nil where the browser does not send it.
    package func said(_ name: HTTPField.Name?) -> String? {
        name.flatMap { self[$0] }
    }

    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")
    private static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")
    private static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")
    private static let xRequestedWith = HTTPField.Name("X-Requested-With")
    private static let guessFields = ["Sec-Purpose", "Purpose", "X-Moz"].compactMap { HTTPField.Name($0) }
}
