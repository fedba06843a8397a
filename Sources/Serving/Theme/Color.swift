import Essentials

/// An opaque colour in sRGB, each part from 0 to 255.
struct Color: Sendable, Equatable {
    static let white = Color(red: 255, green: 255, blue: 255)
    static let black = Color(red: 0, green: 0, blue: 0)

    let red: Double
    let green: Double
    let blue: Double

    init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Reads `#rgb` or `#rrggbb`. Returns nil for anything else, colours with alpha included.
    init?(hex: some Collection<UInt8>) {
        guard hex.first == UInt8(ascii: "#") else { return nil }
        let digits = hex.dropFirst().compactMap(Self.digit)
        guard digits.count == hex.count - 1 else { return nil }
        switch digits.count {
        case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
        case 6:
            self.init(
                red: digits[0] * 16 + digits[1], green: digits[2] * 16 + digits[3], blue: digits[4] * 16 + digits[5])
        default: return nil
        }
    }

    /// `#rrggbb`
    var hex: String {
        let parts = [red, green, blue].map { part in
            let digits = String(Int(part.rounded()), radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }
        return "#" + parts.joined()
    }

    /// This colour with that share of it, from 0 to 1, and the rest of the other: `color-mix(in
    /// srgb, …)`.
    func mixed(_ share: Double, with other: Color) -> Color {
        Color(
            red: red * share + other.red * (1 - share), green: green * share + other.green * (1 - share),
            blue: blue * share + other.blue * (1 - share))
    }

    private static func digit(_ byte: UInt8) -> Double? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Double(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Double(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Double(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
