import Essentials
import Foundation

/// An opaque colour in sRGB.
struct Color: Sendable, Equatable {
    static let white = Color(parts: SIMD3(repeating: 255))
    static let black = Color(parts: SIMD3(repeating: 0))

    /// Red, green and blue, each from 0 to 255.
    let parts: SIMD3<Double>

    /// `#rrggbb`
    var hex: String { "#" + Hex.text(parts.indices.map { UInt8(parts[$0].rounded()) }) }

    /// This colour with that share of it, from 0 to 1, and the rest of the other: `color-mix(in
    /// srgb, …)`.
    func mixed(_ share: Double, with other: Color) -> Color {
        Color(parts: parts * share + other.parts * (1 - share))
    }

    /// Contrast ratio from 1 to 21 (WCAG 2.2).
    func contrast(to other: Color) -> Double {
        let (lighter, darker) = (max(luminance, other.luminance), min(luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)
    }

    private var luminance: Double {
        0.2126 * Self.linear(parts.x) + 0.7152 * Self.linear(parts.y) + 0.0722 * Self.linear(parts.z)
    }

    private static func linear(_ part: Double) -> Double {
        let share = part / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
}

extension Color {
    /// Reads `#rgb` or `#rrggbb`. Returns nil for anything else, colours with alpha included.
    init?(hex: some Collection<UInt8>) {
        let digits = hex.dropFirst().compactMap(Hex.value).map(Double.init)
        guard hex.first == UInt8(ascii: "#"), digits.count == hex.count - 1 else { return nil }
        switch digits.count {
        case 3: parts = SIMD3(digits) * 17
        case 6: parts = SIMD3(digits[0], digits[2], digits[4]) * 16 + SIMD3(digits[1], digits[3], digits[5])
        default: return nil
        }
    }
}
