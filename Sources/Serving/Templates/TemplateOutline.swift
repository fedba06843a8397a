import Essentials

/// A template as far as it can be read without values: what it says, names and includes. Sections
/// count as if all of them were shown.
struct TemplateOutline: Sendable {
    enum Node: Sendable {
        case text(ArraySlice<UInt8>)
        /// `{{name}}`, and of a section its name.
        case value(String)
        /// `[[key]]`
        case sentence(String)
        /// `{{> name}}`
        case include(String)
        /// `{{< name}}`, with the blocks that are filled in there.
        case parent(String, [String: [Node]])
        /// `{{$name}}`, with what stands there when nobody fills it in.
        case block(String, [Node])

        /// The name, if this is a value.
        var value: String? {
            if case .value(let name) = self { name } else { nil }
        }
    }

    let nodes: [Node]
    /// Values that are shown as they are: `{{{name}}}`, `{{&name}}`.
    let unescaped: Set<String>
    /// Constants of the site: `site.brand`.
    let constants: Set<String>
    /// Whether a tag changes the delimiters (`{{=<% %>=}}`) or includes what a value names
    /// (`{{>*name}}`), so that what it includes cannot be read here.
    let isUnreadable: Bool

    init(_ text: String) {
        var reader = OutlineReader(Array(text.utf8))
        nodes = reader.read()
        (unescaped, constants, isUnreadable) = (reader.unescaped, reader.constants, reader.isUnreadable)
    }

    /// Paths of the templates that it includes, wherever it names them.
    var included: Set<String> {
        var (paths, nodes) = (Set<String>(), nodes)
        while let node = nodes.popLast() {
            switch node {
            case .text, .value, .sentence: continue
            case .include(let name): paths.insert(Self.path(name))
            case .parent(let name, let blocks):
                paths.insert(Self.path(name))
                nodes += blocks.values.joined()
            case .block(_, let standard): nodes += standard
            }
        }
        return paths
    }

    /// Parents are named with dots in the place of slashes.
    static func path(_ name: String) -> String {
        let isText = name.ends(with: ".txt")
        let stem = isText ? String(name.before(".txt") ?? "") : name
        return stem.parts(by: ".").joined(separator: "/") + (isText ? ".txt" : "")
    }
}

/// Takes everything for text that is no tag; what cannot be read is refused elsewhere.
private struct OutlineReader {
    typealias Node = TemplateOutline.Node

    private enum Kind { case section, block, parent }

    private struct Frame {
        let kind: Kind
        let name: String
        var nodes: [Node] = []
    }

    private struct Tag {
        let isSentence: Bool
        let content: [UInt8]
        let end: Int
    }

    private let bytes: [UInt8]
    private var frames = [Frame(kind: .section, name: "")]
    private(set) var unescaped: Set<String> = []
    private(set) var constants: Set<String> = []
    private(set) var isUnreadable = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func read() -> [Node] {
        var (start, position) = (0, 0)
        while position + 1 < bytes.count {
            guard let tag = tag(at: position) else {
                position += 1
                continue
            }
            add(.text(bytes[start..<position]))
            take(tag)
            (start, position) = (tag.end, tag.end)
        }
        add(.text(bytes[start...]))
        while frames.count > 1 { close() }
        return frames[0].nodes
    }

    private func tag(at start: Int) -> Tag? {
        let opening = bytes[start]
        guard opening == UInt8(ascii: "{") || opening == UInt8(ascii: "["), bytes[start + 1] == opening else {
            return nil
        }
        // In ASCII each closing bracket comes two behind its opening one.
        let closing = opening + 2
        var end = start + 2
        while end + 1 < bytes.count, bytes[end] != closing || bytes[end + 1] != closing { end += 1 }
        guard end + 1 < bytes.count else { return nil }
        let content = bytes[(start + 2)..<end]
        // Three brackets are one tag.
        let isTriple = content.first == opening && end + 2 < bytes.count && bytes[end + 2] == closing
        return Tag(
            isSentence: opening == UInt8(ascii: "["), content: Array(content), end: end + (isTriple ? 3 : 2))
    }

    private mutating func add(_ node: Node) {
        frames[frames.count - 1].nodes.append(node)
    }

    private mutating func take(_ tag: Tag) {
        let mark = tag.content.first.map { Unicode.Scalar($0) } ?? " "
        let name = Self.name(tag.content)
        func said() -> Node { tag.isSentence ? .sentence(name) : .value(name) }
        if tag.isSentence, name.begins(with: "site.") { constants.insert(name) }
        if !tag.isSentence, mark == "{" || mark == "&" { unescaped.insert(name) }
        if mark == "=" || (mark == ">" || mark == "<") && name.begins(with: "*") { isUnreadable = true }
        switch mark {
        case "!", "%", "=": return
        case "/": if frames.count > 1 { close() }
        case "#", "^":
            add(said())
            frames.append(Frame(kind: .section, name: name))
        case "$": frames.append(Frame(kind: .block, name: name))
        case "<": frames.append(Frame(kind: .parent, name: name))
        case ">": add(.include(name))
        default: add(said())
        }
    }

    /// Without mark and spaces; of `first(name)`, `name`.
    private static func name(_ content: [UInt8]) -> String {
        let marks = "#^/$<>&{ ".utf8
        let bare = content.drop { marks.contains($0) }.split(separator: UInt8(ascii: " ")).first ?? []
        let inner = bare.split(separator: UInt8(ascii: "(")).last ?? []
        return String(decoding: inner.prefix { $0 != UInt8(ascii: ")") }, as: UTF8.self)
    }

    private mutating func close() {
        let frame = frames.removeLast()
        switch frame.kind {
        case .section: frame.nodes.forEach { add($0) }
        case .block: add(.block(frame.name, frame.nodes))
        case .parent:
            var blocks: [String: [Node]] = [:]
            for case .block(let name, let nodes) in frame.nodes { blocks[name] = nodes }
            add(.parent(frame.name, blocks))
        }
    }
}
