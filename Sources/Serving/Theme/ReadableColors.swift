/// What a brand's colour needs to be read: dark words on a yellow button, links and lines that are
/// darker than a pale colour, an edge around a button of the page's own colour. Tokens that the
/// operator's sheet sets are left alone.
struct ReadableColors {
    private(set) var colors: ThemeColors
    /// What is other than the sheets make it.
    private(set) var changed: [(token: ThemeToken, color: Color)] = []
    /// Whether a button's fill needs an edge to be seen.
    private(set) var needsEdge = false
    private let own: Set<String>
    /// Where text gets more contrast to the page.
    private let far: Color

    /// `own` are the names that the operator's sheet sets.
    init(_ colors: ThemeColors, own: Set<String>, isDark: Bool) {
        (self.colors, self.own, far) = (colors, own, isDark ? .white : .black)
        mend(.onBrand, on: [.brand], needed: 4.5, [.white, .black])
        let hovers = [Color.black, .white].map { self.colors[.brand].mixed(0.84, with: $0) }
        mend(.brandHover, on: [.onBrand], needed: 4.5, hovers + [self.colors[.brandHover]])
        mend(.link, on: [.ground, .surface, .brandSoft, .brandSoftHover], needed: 4.5, shades)
        mend(.brandLine, on: [.ground, .surface], needed: 3, shades)
        needsEdge = self.colors[.brand] != self.colors[.brandLine]
    }

    /// The brand's colour, and from there on to where everything is read.
    private var shades: [Color] {
        stride(from: 1, through: 0, by: -0.05).map { colors[.brand].mixed($0, with: far) }
    }

    /// Takes the first of the choices that has the contrast; without one, the last.
    private mutating func mend(
        _ token: ThemeToken, on backgrounds: [ThemeToken], needed: Double, _ choices: [Color]
    ) {
        let isRead = { [colors] (color: Color) in backgrounds.allSatisfy { color.contrast(to: colors[$0]) >= needed } }
        guard !own.contains(token.rawValue), !isRead(colors[token]) else { return }
        guard let color = choices.first(where: isRead) ?? choices.last, color != colors[token] else { return }
        colors[token] = color
        changed.append((token, color))
    }
}

extension ReadableColors {
    /// As a rule of the product's sheet; empty if nothing is changed.
    func sheet(_ scheme: String) -> String {
        guard !changed.isEmpty || needsEdge else { return "" }
        let lines = changed.map { "--\($0.token.rawValue): \($0.color.hex);" }
        let edge = needsEdge ? ["--brand-edge: var(--brand-line);"] : []
        let rule = (lines + edge).joined(separator: " ")
        return "@layer tokens {\n@media (prefers-color-scheme: \(scheme)) {\n:root { \(rule) }\n}\n}\n"
    }
}
