/// Computes colours as a browser would, out of `#rgb`, `#rrggbb`, `var(--name)`, `light-dark(a, b)`
/// and `color-mix(in srgb, a 80%, b)`.
struct ColorReader {
    /// Values by name, as the cascade left them for this scheme.
    let values: [String: [UInt8]]
    let isDark: Bool

    /// Returns nil for a value in another notation, and for properties that name each other in a
    /// circle or are nested more than eight deep.
    func color(_ name: String, depth: Int = 0) -> Color? {
        values[name].flatMap { color($0[...], depth: depth + 1) }
    }

    private func color(_ value: ArraySlice<UInt8>, depth: Int) -> Color? {
        guard depth <= 8 else { return nil }
        if let name = Self.arguments(of: "var", value), name.count == 1, name[0].starts(with: "--".utf8) {
            return color(String(decoding: name[0].dropFirst(2), as: UTF8.self), depth: depth)
        }
        if let schemes = Self.arguments(of: "light-dark", value), schemes.count == 2 {
            return color(schemes[isDark ? 1 : 0], depth: depth + 1)
        }
        if let mix = Self.arguments(of: "color-mix", value), mix.count == 3, mix[0].elementsEqual("in srgb".utf8),
            let (first, share) = Self.share(of: mix[1]), let one = color(first, depth: depth + 1),
            let other = color(mix[2], depth: depth + 1)
        {
            return one.mixed(share, with: other)
        }
        return Color(hex: value)
    }

    /// `VALUE 80%` as the value and 0.8.
    private static func share(of text: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, Double)? {
        guard text.last == UInt8(ascii: "%"), let space = text.lastIndex(of: UInt8(ascii: " ")),
            let percent = Int(String(decoding: text[(space + 1)...].dropLast(), as: UTF8.self)),
            (0...100).contains(percent)
        else { return nil }
        return (text[..<space], Double(percent) / 100)
    }

    /// What stands between the parentheses of that function, split at its commas; nil for anything
    /// else.
    private static func arguments(of function: StaticString, _ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let head = "\(function)(".utf8
        guard value.starts(with: head), value.last == UInt8(ascii: ")") else { return nil }
        var depth = 0
        let parts = value.dropFirst(head.count).dropLast().split(omittingEmptySubsequences: false) { byte in
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            return byte == UInt8(ascii: ",") && depth == 0
        }
        // Runs of white space are one space by now.
        let space = UInt8(ascii: " ")
        return depth == 0 ? parts.map { $0.drop { $0 == space }.dropLast($0.last == space ? 1 : 0) } : nil
    }
}
