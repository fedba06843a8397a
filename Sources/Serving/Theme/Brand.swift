import Essentials

/// What the files under `Public` say about the brand.
package struct Brand: Sendable {
    let theme: Theme
    /// Whether there is a `css/theme.css`.
    private let hasTheme: Bool
    /// The operator's pictures; of the mark none while it is the product's own, which is drawn in
    /// pages and mails, in the theme's colours.
    private let mark: BrandPicture?
    private let wordmark: BrandPicture?
    private let favicon: BrandPicture?

    /// Takes the files' contents by their paths.
    init(_ files: [String: [UInt8]]) {
        let own = files["/css/theme.css"]
        theme = Theme(product: files[StyleSheet.path] ?? [], own: own ?? [])
        hasTheme = own != nil
        let paths = Set(files.keys)
        let isProducts = String(decoding: files[Self.product] ?? [], as: UTF8.self).holds(Self.sign)
        mark = BrandPicture("mark", among: isProducts ? paths.subtracting([Self.product]) : paths)
        wordmark = BrandPicture("wordmark", among: paths)
        favicon = BrandPicture("favicon", among: paths) ?? mark ?? BrandPicture("mark", among: paths)
    }

    static let product = "/mark.svg"
    /// What only the product's own mark has.
    static let sign = "id=\"vestibule-mark\""

    /// The path of what a browser's tab shows.
    package func icon(dark: Bool) -> String { favicon?.shown(isDark: dark) ?? Self.product }

    /// For the first pass of every template.
    package var values: Values {
        var values: Values = [
            "theme": hasTheme, "icons": favicon?.icons ?? [], "light": theme.light.values, "dark": theme.dark.values,
        ]
        values["own_mark"] = mark?.values
        values["wordmark"] = wordmark?.values
        return values
    }
}

/// A picture of the brand, and the one that stands for it on dark pages.
struct BrandPicture {
    let path: String
    private let dark: String?

    /// `NAME.svg` or another format, and `NAME-dark.svg` beside it. Nil without the first.
    init?(_ name: String, among paths: Set<String>) {
        guard let path = Self.path(name, paths) else { return nil }
        (self.path, dark) = (path, Self.path("\(name)-dark", paths))
    }

    private static func path(_ name: String, _ paths: Set<String>) -> String? {
        ["svg", "png", "ico"].map { "/\(name).\($0)" }.first(where: paths.contains)
    }

    func shown(isDark: Bool) -> String { isDark ? dark ?? path : path }

    var values: Values {
        var values: Values = ["path": path]
        values["dark"] = dark
        return values
    }

    /// The links of a page to its icon: one, or one for each scheme.
    var icons: [Values] {
        guard let dark else { return [["path": path]] }
        return [["path": path, "scheme": "light"], ["path": dark, "scheme": "dark"]]
    }
}
