import Essentials

/// Computes colours as a browser would, out of `#rgb`, `#rrggbb`, `var(--name)`, `light-dark(a, b)`
/// and `color-mix(in srgb, a 80%, b)`.
struct ColorReader {
    /// Values by name, as the cascade left them for this scheme.
    package let values: [String: [UInt8]]
    let isDark: Bool

    /// Returns nil for a value in another notation, and for properties that name each other in a
    /// circle or are nested more than eight deep.
    func color(_ name: String) -> Color? {
        color(name, depth: 0)
    }

    private func color(_ name: String, depth: Int) -> Color? {
        values[name].flatMap { color($0[...], depth: depth + 1) }
    }

    private func color(_ value: ArraySlice<UInt8>, depth: Int) -> Color? {
        guard depth <= 8 else { return nil }
        if let color = Color(hex: value) { return color }
        if let name = Self.arguments(of: "var", value), name.count == 1, name[0].starts(with: "--".utf8) {
            return color(String(decoding: name[0].dropFirst(2), as: UTF8.self), depth: depth)
        }
        if let schemes = Self.arguments(of: "light-dark", value), schemes.count == 2 {
            return color(schemes[isDark ? 1 : 0], depth: depth + 1)
        }
        if let parts = Self.arguments(of: "color-mix", value), parts.count == 3, parts[0].elementsEqual("in srgb".utf8)
        {
            return mix(parts[1], parts[2], depth: depth + 1)
        }
        return nil
    }

    private func mix(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>, depth: Int) -> Color? {
        let (one, share) = Self.share(of: first)
        guard let share, let one = color(one, depth: depth), let other = color(second, depth: depth) else { return nil }
        return one.mixed(share, with: other)
    }

    /// `VALUE 80%` as the value and 0.8.
    private static func share(of text: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, Double?) {
        guard text.last == UInt8(ascii: "%"), let space = text.lastIndex(of: UInt8(ascii: " ")),
            let percent = Int(String(decoding: text[(space + 1)...].dropLast(), as: UTF8.self)),
            (0...100).contains(percent)
        else { return (text, nil) }
        return (text[..<space], Double(percent) / 100)
    }

    /// What stands between the parentheses of that function, split at its commas; nil for anything
    /// else.
    private static func arguments(of function: StaticString, _ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let head = "\(function)(".utf8
        guard value.starts(with: head), value.last == UInt8(ascii: ")") else { return nil }
        let inside = value.dropFirst(head.count).dropLast()
        var parts: [ArraySlice<UInt8>] = []
        var (start, depth) = (inside.startIndex, 0)
        for (index, byte) in zip(inside.indices, inside) {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            guard byte == UInt8(ascii: ","), depth == 0 else { continue }
            parts.append(inside[start..<index])
            start = index + 1
        }
        guard depth == 0 else { return nil }
        return (parts + [inside[start...]]).map(trimmed)
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let space = UInt8(ascii: " ")
        var text = text.drop { $0 == space }
        while text.last == space { text.removeLast() }
        return text
    }
}
