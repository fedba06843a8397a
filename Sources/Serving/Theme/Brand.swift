import Essentials

/// What the files under `Public` say about the brand.
package struct Brand: Sendable {
    let theme: Theme
    /// Whether there is a `css/theme.css`.
    let hasTheme: Bool
    /// Whether `mark.svg` is the operator's. The product's own is drawn in pages and mails, in the
    /// theme's colours.
    let hasOwnMark: Bool

    /// Takes the files' contents by their paths.
    init(_ files: [String: [UInt8]]) {
        let own = files["/css/theme.css"]
        theme = Theme(product: files[StyleSheet.path] ?? [], own: own ?? [])
        hasTheme = own != nil
        hasOwnMark = !String(decoding: files["/mark.svg"] ?? [], as: UTF8.self).holds("id=\"vestibule-mark\"")
    }

    /// For the first pass of every template.
    package var values: Values {
        ["theme": hasTheme, "own_mark": hasOwnMark, "light": theme.light.values, "dark": theme.dark.values]
    }
}
