import Essentials
package import HTTPTypes

extension HTTPFields {
    /// Whether a person waits for a page: not a script, an image or a guess at the next page, as
    /// far as the browser says (Fetch Metadata; before it, `X-Requested-With`).
    package var isNavigation: Bool {
        let isGuess = self[.secPurpose]?.begins(with: "prefetch") ?? false
        return !isGuess && self[.xRequestedWith] == nil && self[.secFetchMode] ?? "navigate" == "navigate"
            && self[.secFetchDest] ?? "document" == "document"
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
}

extension HTTPField.Name {
    fileprivate static let secPurpose = named("Sec-Purpose")
    fileprivate static let secFetchMode = named("Sec-Fetch-Mode")
    fileprivate static let secFetchDest = named("Sec-Fetch-Dest")
    fileprivate static let xRequestedWith = named("X-Requested-With")

    /// One of the names above, which are all well-formed.
    private static func named(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .accept
    }
}
