import Essentials

/// A page as plain text, for those who show no HTML.
package enum PageText {
    /// The tags that end a line of their own.
    private static let ends = [
        "/main", "/p", "/li", "/h1", "/h2", "/h3", "/h4", "/div", "/dt", "/dd", "/tr", "br", "br/",
    ]
    private static let entities = [
        ("&nbsp;", " "), ("&shy;", ""), ("\u{AD}", ""), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
        ("&amp;", "&"),
    ]

    /// What stands in `main`, or in the whole page if it has none: each heading, paragraph and item
    /// on a line, and an empty line between them.
    package static func main(of html: String) -> String {
        let pieces = html.parts(by: "<")
        let start = pieces.firstIndex { tag(of: $0).isExactly("main") } ?? 0
        var (lines, line) = ([String](), "")
        for piece in pieces[start...] {
            let tag = tag(of: piece)
            if ends.contains(where: tag.isExactly) {
                lines.append(words(line))
                line = ""
            }
            if tag.isExactly("/main") { break }
            line += piece.parts(by: ">", atMost: 2).dropFirst().joined()
        }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The name of the tag that a piece begins with.
    private static func tag(of piece: Substring) -> Substring {
        Substring(piece.utf8.prefix { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: ">") })
    }

    /// With single spaces, and characters for entities.
    private static func words(_ line: String) -> String {
        let words = line.utf8.split { $0 <= UInt8(ascii: " ") }.map { String(Substring($0)) }
        // Characters: the page is the operator's.
        return entities.reduce(words.joined(separator: " ")) { $0.replacing($1.0, with: $1.1) }
    }
}
