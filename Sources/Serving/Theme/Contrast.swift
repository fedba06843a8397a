/// Two colours of the theme that stand on each other, and the contrast they need.
private struct ContrastPair {
    let foreground: ThemeToken
    let backgrounds: [ThemeToken]
    let needed: Double

    /// WCAG 2.2, 1.4.3: text.
    static func text(_ foreground: ThemeToken, on backgrounds: ThemeToken...) -> Self {
        Self(foreground: foreground, backgrounds: backgrounds, needed: 4.5)
    }

    /// WCAG 2.2, 1.4.11: borders and fills by which a control is recognized.
    static func control(_ foreground: ThemeToken, on backgrounds: ThemeToken...) -> Self {
        Self(foreground: foreground, backgrounds: backgrounds, needed: 3)
    }

    /// As `vestibule.css` and the mails use them.
    static let all: [ContrastPair] = [
        .text(.ink, on: .ground, .surface, .brandSoft, .badSoft),
        .text(.inkSoft, on: .ground, .surface),
        .text(.link, on: .ground, .surface, .brandSoft, .brandSoftHover),
        .text(.onBrand, on: .brand, .brandHover),
        .text(.onDanger, on: .danger, .dangerHover),
        .text(.bad, on: .surface, .badSoft),
        .text(.good, on: .goodSoft),
        .control(.lineStrong, on: .surface),
        .control(.brandLine, on: .ground, .surface),
        .control(.good, on: .surface),
        .control(.fair, on: .surface),
    ]
}

extension Theme {
    /// One line for each pair of colours with too little contrast: the tokens, the ratio and what
    /// is needed.
    package var contrastFaults: [String] {
        [("light", light), ("dark", dark)].flatMap { scheme, colors in
            ContrastPair.all.flatMap { pair in
                pair.backgrounds.compactMap { pair.fault(on: $0, colors).map { "\(scheme): \($0)" } }
            }
        }
    }
}

extension ContrastPair {
    fileprivate func fault(on background: ThemeToken, _ colors: ThemeColors) -> String? {
        let ratio = colors[foreground].contrast(to: colors[background])
        guard ratio < needed else { return nil }
        // Cut off, not rounded: 4.499 is not 4.50.
        let shown = "\(Int(ratio)).\(Int(ratio * 100) % 100 / 10)\(Int(ratio * 100) % 10)"
        let (foreground, background) = (colors.shown(foreground), colors.shown(background))
        return "\(foreground) on \(background) is \(shown):1, and \(needed == 3 ? "3" : "4.5"):1 is needed"
    }
}
