import Essentials

/// A colour of the theme, by the name of its custom property without `--`.
enum ThemeToken: String, CaseIterable, Sendable {
    case ground, surface, ink, line, brand, link, good, fair, bad, danger
    case inkSoft = "ink-soft"
    case lineStrong = "line-strong"
    case brandHover = "brand-hover"
    case brandSoft = "brand-soft"
    case brandSoftHover = "brand-soft-hover"
    case brandLine = "brand-line"
    case onBrand = "on-brand"
    case goodSoft = "good-soft"
    case badSoft = "bad-soft"
    case dangerHover = "danger-hover"
    case onDanger = "on-danger"

    /// The colour when no style sheet names it: dark on light.
    var fallback: Color {
        switch self {
        case .ground, .surface, .brandSoft, .brandSoftHover, .goodSoft, .badSoft, .onBrand, .onDanger: .white
        default: .black
        }
    }
}

/// The colours of one scheme.
struct ThemeColors: Sendable {
    private var colors: [ThemeToken: Color] = [:]

    subscript(_ token: ThemeToken) -> Color {
        get { colors[token] ?? token.fallback }
        set { colors[token] = newValue }
    }

    /// `--ink (#16181d)`
    func shown(_ token: ThemeToken) -> String { "--\(token.rawValue) (\(self[token].hex))" }

    /// `#rrggbb` by name, for templates: `ink_soft` and so on.
    var values: Values {
        let named = ThemeToken.allCases.map { (Base64.swapping($0.rawValue, "-", "_"), self[$0].hex) }
        return Dictionary(uniqueKeysWithValues: named)
    }
}
