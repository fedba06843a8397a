/// The colours of pages and mails, light and dark: those of the product, and over them what the operator's `theme.css` sets.
package struct Theme: Sendable {
    private(set) var light = ThemeColors()
    private(set) var dark = ThemeColors()
    /// Names of the operator's that are set to something this cannot compute; mails keep the product's colour there.
    package private(set) var unread: [String] = []

    /// `product` and `own` are the texts of `vestibule.css` and `theme.css`.
    init(product: [UInt8], own: [UInt8]) {
        let defaults = CustomProperties(product).declarations
        let overrides = CustomProperties(own).declarations
        light = colors(defaults, overrides, isDark: false)
        dark = colors(defaults, overrides, isDark: true)
    }

    private mutating func colors(
        _ defaults: [CustomProperties.Declaration], _ overrides: [CustomProperties.Declaration], isDark: Bool
    ) -> ThemeColors {
        let shipped = Self.values(defaults, isDark: isDark)
        let own = Self.values(overrides, isDark: isDark)
        let reader = ColorReader(values: shipped.merging(own) { $1 }, isDark: isDark)
        let fallback = ColorReader(values: shipped, isDark: isDark)
        var colors = ThemeColors()
        for token in ThemeToken.allCases {
            let color = reader.color(token.rawValue)
            if color == nil, own[token.rawValue] != nil, !unread.contains(token.rawValue) {
                unread.append(token.rawValue)
            }
            colors[token] = color ?? fallback.color(token.rawValue) ?? token.fallback
        }
        return colors
    }

    /// The cascade within one sheet: later ones win, whatever query they stand in.
    private static func values(_ declarations: [CustomProperties.Declaration], isDark: Bool) -> [String: [UInt8]] {
        var values: [String: [UInt8]] = [:]
        for each in declarations where each.scheme == .any || (each.scheme == .dark) == isDark {
            values[each.name] = each.value
        }
        return values
    }
}
