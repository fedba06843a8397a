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

    var templateName: String { Base64.swapping(rawValue, "-", "_") }

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
        Dictionary(uniqueKeysWithValues: ThemeToken.allCases.map { ($0.templateName, self[$0].hex) })
    }

    /// The names of all in templates: `site.light.ink_soft` and so on.
    static let constants = Set(
        ["light", "dark"].flatMap { scheme in ThemeToken.allCases.map { "site.\(scheme).\($0.templateName)" } })
}
