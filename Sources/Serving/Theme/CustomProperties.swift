import Essentials

/// The custom properties a style sheet sets for the whole page: those of `:root` and `html`, alone,
/// in layers, in `@supports` and in the media query of a colour scheme. Whatever else the sheet
/// says is passed over.
struct CustomProperties {
    enum Scheme: Sendable { case any, light, dark }

    /// `--name: value`, in the order in which later ones win.
    struct Declaration: Equatable {
        let name: String
        let value: [UInt8]
        let scheme: Scheme
    }

    private(set) var declarations: [Declaration] = []
    private var blocks: [[UInt8]] = []
    private var text: [UInt8] = []

    init(_ css: [UInt8]) {
        var rest = css[...]
        var parentheses = 0
        while let byte = rest.first {
            if byte == UInt8(ascii: "/"), let end = Self.endOfComment(rest) {
                rest = rest[end...]
                continue
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                let end = Self.endOfString(rest)
                text += rest[..<end]
                rest = rest[end...]
                continue
            }
            rest = rest.dropFirst()
            if byte == UInt8(ascii: "(") { parentheses += 1 }
            if byte == UInt8(ascii: ")") { parentheses = max(0, parentheses - 1) }
            parentheses > 0 ? text.append(byte) : take(byte)
        }
    }

    private mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"):
            blocks.append(Self.words(text))
            text = []
        case UInt8(ascii: "}"):
            declare()
            _ = blocks.popLast()
        case UInt8(ascii: ";"): declare()
        default: text.append(byte)
        }
    }

    private mutating func declare() {
        defer { text = [] }
        guard let scheme else { return }
        let words = Self.words(text)
        guard words.starts(with: "--".utf8), let colon = words.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = words[2..<colon].filter { $0 != UInt8(ascii: " ") }
        let parts = words[(colon + 1)...].split(separator: UInt8(ascii: " "))
        let value = (parts.last?.elementsEqual("!important".utf8) == true ? parts.dropLast() : parts[...])
            .joined(separator: [UInt8(ascii: " ")])
        declarations.append(
            Declaration(name: String(decoding: name, as: UTF8.self), value: Array(value), scheme: scheme))
    }

    /// The scheme for which the innermost block sets properties of the page; nil when it does not.
    private var scheme: Scheme? {
        guard let last = blocks.last, [Array(":root".utf8), Array("html".utf8)].contains(last) else { return nil }
        var scheme = Scheme.any
        for block in blocks.dropLast() {
            switch String(decoding: block.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self) {
            case "@media(prefers-color-scheme:dark)": scheme = .dark
            case "@media(prefers-color-scheme:light)": scheme = .light
            default:
                guard block.starts(with: "@layer".utf8) || block.starts(with: "@supports".utf8) else { return nil }
            }
        }
        return scheme
    }

    /// In lower case, each run of white space as one space, none at the ends.
    private static func words(_ text: [UInt8]) -> [UInt8] {
        let words = text.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0C || $0 == 0x0D }
        return Array(words.joined(separator: [0x20])).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }

    /// Behind the comment at the start; nil when there is none.
    private static func endOfComment(_ css: ArraySlice<UInt8>) -> Int? {
        guard css.starts(with: "/*".utf8) else { return nil }
        var index = css.startIndex + 2
        while index + 1 < css.endIndex {
            if css[index] == UInt8(ascii: "*"), css[index + 1] == UInt8(ascii: "/") { return index + 2 }
            index += 1
        }
        return css.endIndex
    }

    /// Behind the closing quote of the string at the start.
    private static func endOfString(_ css: ArraySlice<UInt8>) -> Int {
        var index = css.startIndex + 1
        while index < css.endIndex, css[index] != css[css.startIndex] {
            index += css[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, css.endIndex)
    }
}
