import Essentials
import Foundation

/// What pages could not show of an operator's logo and of what `theme.css` loads, for `vestibule
/// doctor`.
package struct BrandFiles: Sendable {
    private let files: [String: [UInt8]]
    private let theme: Theme

    /// WCAG 2.2, 1.4.11: what is needed to tell a picture.
    private static let neededContrast = 3.0

    init(_ files: [String: [UInt8]]) {
        var files = files
        files[StyleSheet.path] = StyleSheet(StyleSheet.path, in: files).bytes
        self.files = files
        theme = Brand(files).theme
    }

    private func text(_ path: String) -> String { String(decoding: files[path] ?? [], as: UTF8.self) }

    /// One line for each SVG file of the brand that is no picture, or not a whole one.
    package var markFaults: [String] {
        let names = ["mark", "wordmark", "favicon"].flatMap { [$0, "\($0)-dark"] }
        return names.map { "/\($0).svg" }.filter(own.contains).compactMap { path in
            let text = text(path)
            if !Self.isSVG(text) { return "Public\(path) is no SVG picture: no browser shows it" }
            if !text.holds("viewBox") { return "Public\(path) has no viewBox: browsers cannot scale it" }
            let isAlone = !["<script", "<image", "url(http"].contains(where: text.holds)
            return isAlone ? nil : "Public\(path) runs or loads something: browsers show it without"
        }
    }

    /// Logos of one colour that cannot be told from the page in one scheme, and pictures for the
    /// dark that belong to none.
    package var markWarnings: [String] {
        ["mark", "wordmark"].flatMap(unseen) + ["mark", "wordmark", "favicon"].compactMap(unpaired)
    }

    private func unseen(_ name: String) -> [String] {
        let (light, dark) = (("light", theme.light), ("dark", theme.dark))
        let hasDark = BrandPicture("\(name)-dark", among: own) != nil
        let style = "draw it with a `<style>` that has @media (prefers-color-scheme: dark)"
        return unseen(
            "/\(name).svg", on: hasDark ? [light] : [light, dark], "\(style), or add Public/\(name)-dark.svg")
            + unseen("/\(name)-dark.svg", on: [dark], "draw it lighter")
    }

    private func unseen(_ path: String, on schemes: [(String, ThemeColors)], _ mend: String) -> [String] {
        // A picture that has colours of its own in the dark knows what it does.
        guard own.contains(path), Self.isSVG(text(path)), !text(path).holds("prefers-color-scheme") else { return [] }
        let colors = Self.colors(text(path))
        return schemes.filter { isLost(colors, on: $0.1[.surface]) }.map {
            "Public\(path) can hardly be seen on \($0.0) pages: \(mend)"
        }
    }

    private func unpaired(_ name: String) -> String? {
        guard BrandPicture(name, among: own) == nil, let dark = BrandPicture("\(name)-dark", among: own) else {
            return nil
        }
        return "Public\(dark.path) is not used: it needs a picture for light pages, such as Public/\(name).svg"
    }

    /// Paths without the product's own mark.
    private var own: Set<String> {
        Set(files.keys).subtracting(text(Brand.product).holds(Brand.sign) ? [Brand.product] : [])
    }

    private func isLost(_ colors: [Color], on ground: Color) -> Bool {
        !colors.isEmpty && colors.allSatisfy { $0.contrast(to: ground) < Self.neededContrast }
    }

    private static func isSVG(_ text: String) -> Bool {
        (text.after("\u{FEFF}") ?? text[...]).trimmingASCIIWhitespace.begins(with: "<")
            && text.holds("<svg") && text.holds("http://www.w3.org/2000/svg")
    }

    /// Those written as `#rgb` or `#rrggbb`, and black, which is what SVG draws in, where no
    /// colour is named. Empty where one is written in another way.
    private static func colors(_ text: String) -> [Color] {
        let colors: [Color] = text.parts(by: "#").dropFirst().compactMap { part in
            Color(hex: Array("#".utf8) + part.utf8.prefix { Hex.value($0) != nil })
        }
        let isWritten = ["fill=", "fill:", "stroke=", "stroke:", "stop-color"].contains(where: text.holds)
        return colors.isEmpty && !isWritten ? [.black] : colors
    }

    /// What `theme.css` names and no page may load, or nobody has.
    package var linkWarnings: [String] {
        let css = String(decoding: files["/css/theme.css"] ?? [], as: UTF8.self)
        let parts = css.parts(by: "(")
        return zip(parts, parts.dropFirst()).filter { $0.0.ends(with: "url") }.compactMap { _, rest in
            let quotes: (UInt8) -> Bool = { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") || $0 == 0x20 }
            return Self.isAway(rest.parts(by: ")")[0].trimming(quotes), files)
        }
    }

    private static func isAway(_ link: String, _ files: [String: [UInt8]]) -> String? {
        if link.begins(with: "data:") || link.holds("//") {
            let start = link.begins(with: "data:") ? "data:" : link
            return "theme.css loads \(start), and the pages' policy lets them load files of this site only: "
                + "put it into Public"
        }
        let bare = String(link.parts(by: "#")[0].parts(by: "?")[0])
        let path = URL(filePath: "/css/\(bare)").standardizedFileURL.path
        guard files[bare.begins(with: "/") ? bare : path] == nil else { return nil }
        return "theme.css loads \(link), which is not in Public, or of a kind that is not served: fonts are woff2 files"
    }
}
