import Essentials

/// The custom properties a style sheet sets for the whole page: those of `:root` and `html`, alone
/// or in a list of selectors, in layers, in `@supports` and in the media query of a colour scheme.
/// Whatever else the sheet says is passed over.
struct CustomProperties {
    enum Scheme: Sendable { case any, light, dark }

    /// `--name: value`, in the order in which later ones win.
    struct Declaration {
        let name: String
        let value: [UInt8]
        let scheme: Scheme
    }

    private(set) var declarations: [Declaration] = []
    private var blocks: [[UInt8]] = []
    /// The scheme for which the innermost block sets properties of the page; nil when it does not.
    private var scheme: Scheme?
    private var text: [UInt8] = []

    init(_ css: [UInt8]) {
        var rest = css[...]
        var parentheses = 0
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"): rest = Self.afterComment(rest)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let string = rest
                rest = Self.afterString(rest, quote: byte)
                text += css[string.startIndex - 1..<rest.startIndex]
            case UInt8(ascii: "{") where parentheses == 0:
                blocks.append(Self.words(text))
                scheme = Self.scheme(of: blocks)
                text = []
            case UInt8(ascii: "}") where parentheses == 0:
                declare()
                _ = blocks.popLast()
                scheme = Self.scheme(of: blocks)
            case UInt8(ascii: ";") where parentheses == 0: declare()
            default:
                if byte == UInt8(ascii: "(") { parentheses += 1 }
                if byte == UInt8(ascii: ")") { parentheses = max(0, parentheses - 1) }
                text.append(byte)
            }
        }
    }

    private mutating func declare() {
        defer { text = [] }
        guard let scheme else { return }
        let words = Self.words(text)
        guard words.starts(with: "--".utf8), let colon = words.firstIndex(of: UInt8(ascii: ":")) else {
            return
        }
        let name = words[2..<colon].filter { $0 != UInt8(ascii: " ") }
        let parts = words[(colon + 1)...].split(separator: UInt8(ascii: " "))
        let value = parts.last?.elementsEqual("!important".utf8) == true ? parts.dropLast() : parts[...]
        declarations.append(
            Declaration(
                name: String(decoding: name, as: UTF8.self),
                value: Array(value.joined(separator: [UInt8(ascii: " ")])), scheme: scheme))
    }

    private static func scheme(of blocks: [[UInt8]]) -> Scheme? {
        guard let last = blocks.last, namesPage(last) else { return nil }
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

    /// Whether one of the selectors is the page.
    private static func namesPage(_ selectors: [UInt8]) -> Bool {
        // In parentheses a list says something else, such as which elements are not meant.
        guard !selectors.contains(UInt8(ascii: "(")) else { return false }
        return selectors.split(separator: UInt8(ascii: ",")).map { words(Array($0)) }.contains { selector in
            selector.elementsEqual(":root".utf8) || selector.elementsEqual("html".utf8)
        }
    }

    /// In lower case, each run of white space as one space, none at the ends.
    private static func words(_ text: [UInt8]) -> [UInt8] {
        let words = text.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0C || $0 == 0x0D }
        return words.joined(separator: [0x20]).map(\.asciiLowercased)
    }

    /// What follows the comment whose slash was taken.
    private static func afterComment(_ css: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = css.dropFirst()
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        return rest.dropFirst(2)
    }

    /// What follows the string whose opening quote was taken.
    private static func afterString(_ css: ArraySlice<UInt8>, quote: UInt8) -> ArraySlice<UInt8> {
        var rest = css
        while let byte = rest.popFirst(), byte != quote {
            if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
        }
        return rest
    }
}
