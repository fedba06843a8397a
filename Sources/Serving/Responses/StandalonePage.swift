import Essentials

/// Pages with their style sheets, pictures and fonts in them, in one colour scheme whatever the
/// browser's: they open from disk and load nothing.
package struct StandalonePage {
    private let files: StaticFiles
    /// The path of the public URL.
    private let base: String
    private let scheme: String

    package init(files: StaticFiles, base: String, isDark: Bool) {
        (self.files, self.base, scheme) = (files, base, isDark ? "dark" : "light")
    }

    /// The page with each file that it links in the place of the link; without its script, and with
    /// links that open beside it.
    package func html(_ page: String) -> String {
        let version = Array("?v=\(files.version)".utf8)
        let pieces = pinned(Array(page.utf8)).split(separator: version, omittingEmptySubsequences: false)
        let html = pieces.dropLast().reduce(into: [UInt8]()) { html, piece in
            let start = piece.lastIndex(of: UInt8(ascii: "\"")).map { $0 + 1 } ?? piece.startIndex
            let written = String(decoding: piece[start...], as: UTF8.self)
            html += piece[..<start]
            html += address(written.after(base).map { String($0) } ?? written).utf8
        }
        return String(decoding: html + (pieces.last ?? []), as: UTF8.self)
    }

    /// A file as an address that has all of it.
    package func address(_ path: String) -> String {
        guard let file = files.content(of: path), !path.ends(with: ".js") else { return "data:," }
        let isText = file.type.begins(with: "text/") || file.type.begins(with: "image/svg")
        let bytes = StyleReferences.replaced(in: isText ? pinned(file.bytes) : file.bytes, at: path) { named, _ in
            files.content(of: named) == nil || named.ends(with: ".css") ? nil : address(named)
        }
        return "data:\(file.type.parts(by: ";")[0]);base64,\(Base64.padded.encode(bytes))"
    }

    /// What asks for the browser's scheme gets this one: queries that are always or never true.
    /// Links open beside the page.
    private func pinned(_ text: [UInt8]) -> [UInt8] {
        let pairs = ["light", "dark"].flatMap { asked in
            let query = asked == scheme ? "min-width: 0" : "max-width: 0"
            return ["prefers-color-scheme: \(asked)", "prefers-color-scheme:\(asked)"].map { ($0, query) }
        }
        let others = [
            ("<head>", "<head><base target=\"_blank\">"),
            ("content=\"light dark\"", "content=\"\(scheme)\""),
            ("color-scheme: light dark", "color-scheme: \(scheme)"),
        ]
        return (pairs + others).reduce(text) { text, pair in
            Array(
                text.split(separator: Array(pair.0.utf8), omittingEmptySubsequences: false)
                    .joined(separator: Array(pair.1.utf8)))
        }
    }
}
