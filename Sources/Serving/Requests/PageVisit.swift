import Essentials
package import HTTPTypes

extension HTTPFields {
    /// Whether a person waits for a page: not a script, an image, a frame or a guess at the next
    /// page, as far as the browser says (Fetch Metadata; before it, `X-Requested-With`).
    package var isNavigation: Bool {
        let isGuess = ["Sec-Purpose", "Purpose", "X-Moz"].contains { name in
            said(name).map { $0.utf8.starts(with: "prefetch".utf8) } ?? false
        }
        return !isGuess && said("X-Requested-With") == nil && said("Sec-Fetch-Dest") ?? "document" == "document"
            && said("Sec-Fetch-Mode") ?? "navigate" == "navigate"
    }

    /// Whether `Accept` names HTML; a wildcard, which scripts send, does not (RFC 9110 section
    /// 12.5.1).
    package var acceptsHTML: Bool {
        self[values: .accept].contains { line in
            line.parts(by: ",").contains { range in
                let type = range.parts(by: ";")[0].trimmingSpaces.asciiLowercased
                return type == "text/html" || type == "application/xhtml+xml"
            }
        }
    }

    func said(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { self[$0] }
    }
}
