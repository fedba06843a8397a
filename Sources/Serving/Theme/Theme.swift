import Essentials

/// The colours of pages and mails, light and dark: those of the product, and over them what the
/// operator's `theme.css` sets.
package struct Theme: Sendable {
    private(set) var light = ThemeColors()
    private(set) var dark = ThemeColors()
    /// Names of the operator's that are set to something this cannot compute; mails keep the
    /// product's colour there.
    package private(set) var unread: [String] = []
    /// Rules for the end of the product's sheet, by which the operator's colours can be read.
    private(set) var readable = ""
    /// What is odd about the operator's sheet, for `vestibule doctor`; the pages are shown
    /// nevertheless.
    package let warnings: [String]

    /// `product` and `own` are the texts of `vestibule.css` and `theme.css`.
    init(product: [UInt8], own: [UInt8]) {
        let defaults = CustomProperties(product).declarations
        let overrides = CustomProperties(own).declarations
        warnings = Self.warnings(own, overrides.map(\.name), known: Set(defaults.map(\.name)))
        light = colors(defaults, overrides, isDark: false)
        dark = colors(defaults, overrides, isDark: true)
        guard !overrides.isEmpty else { return }
        let (lightOwn, darkOwn) = (Self.values(overrides, isDark: false), Self.values(overrides, isDark: true))
        let readableLight = ReadableColors(light, own: Set(lightOwn.keys), isDark: false)
        let readableDark = ReadableColors(dark, own: Set(darkOwn.keys), isDark: true)
        (light, dark) = (readableLight.colors, readableDark.colors)
        readable = readableLight.sheet("light") + readableDark.sheet("dark")
    }

    /// Names that are mistyped, and sheets that set or load nothing.
    private static func warnings(_ own: [UInt8], _ names: [String], known: Set<String>) -> [String] {
        let text = String(decoding: own, as: UTF8.self)
        let strange = Set(names).subtracting(known).filter { !text.holds("var(--\($0)") }.sorted()
        let mistyped = strange.compactMap { name in
            Suggestion.nearest(to: name, among: known.sorted()).map {
                "--\(name) is no property of the product's style sheet, did you mean --\($0)?"
            }
        }
        let isIdle = !own.isEmpty && known.isDisjoint(with: names)
        let loads = text.holds("@import") || (text.holds("url(") && text.holds("//"))
        return mistyped + (isIdle ? ["theme.css sets no property of the product's style sheet"] : [])
            + (loads ? ["theme.css names another host or sheet, and pages load none of another"] : [])
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
