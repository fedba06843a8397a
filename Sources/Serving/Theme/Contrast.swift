import Foundation

extension Color {
    /// Contrast ratio from 1 to 21 (WCAG 2.2).
    func contrast(to other: Color) -> Double {
        let (lighter, darker) = (max(luminance, other.luminance), min(luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)
    }

    private var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    private static func linear(_ part: Double) -> Double {
        let share = part / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
}

/// Two colours of the theme that stand on each other, and the contrast they need.
private struct ContrastPair {
    let foreground: ThemeToken
    let backgrounds: [ThemeToken]
    let needed: Double

    /// WCAG 2.2, 1.4.3: text.
    package static func text(_ foreground: ThemeToken, on backgrounds: ThemeToken...) -> ContrastPair {
        ContrastPair(foreground: foreground, backgrounds: backgrounds, needed: 4.5)
    }

    /// WCAG 2.2, 1.4.11: borders and fills by which a control is recognized.
    static func control(_ foreground: ThemeToken, on backgrounds: ThemeToken...) -> ContrastPair {
        ContrastPair(foreground: foreground, backgrounds: backgrounds, needed: 3)
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
        .control(.brand, on: .ground, .surface),
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
                pair.backgrounds.compactMap { Self.fault(pair, on: $0, colors, scheme) }
            }
        }
    }

    private static func fault(
        _ pair: ContrastPair, on background: ThemeToken, _ colors: ThemeColors, _ scheme: String
    ) -> String? {
        let ratio = colors[pair.foreground].contrast(to: colors[background])
        guard ratio < pair.needed else { return nil }
        // Cut off, not rounded: 4.499 is not 4.50.
        let shown = "\(Int(ratio)).\(Int(ratio * 100) % 100 / 10)\(Int(ratio * 100) % 10)"
        let needed = pair.needed == 3 ? "3:1" : "4.5:1"
        return "\(scheme): --\(pair.foreground.rawValue) (\(colors[pair.foreground].hex)) on "
            + "--\(background.rawValue) (\(colors[background].hex)) is \(shown):1, and \(needed) is needed"
    }
}
