import Essentials

/// A style sheet with what it imports in it, so that a page asks for one file.
struct StyleSheet {
    /// The one that every page links.
    static let path = "/css/vestibule.css"
    let bytes: [UInt8]

    /// Puts each file that is imported into a layer, `@import "vestibule/base.css" layer(base);`,
    /// in the place of that line, as `@layer base { … }`: the same to a browser. Every other import
    /// stays as it is: without a layer, below the first rule, of a file that is not there or
    /// imports others.
    init(_ path: String, in files: [String: [UInt8]]) {
        let folder = path.parts(by: "/").dropLast().joined(separator: "/")
        let lines = (files[path] ?? []).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let head = lines.prefix { !$0.contains(UInt8(ascii: "{")) }
        let imported = head.map { line in Self.layer(String(decoding: line, as: UTF8.self), folder, files) ?? line }
        bytes = Array((imported + lines.dropFirst(head.count)).joined(separator: [UInt8(ascii: "\n")]))
    }

    private static func layer(_ line: String, _ folder: String, _ files: [String: [UInt8]]) -> ArraySlice<UInt8>? {
        let parts = line.after("@import \"")?.before(");")?.parts(by: "\"") ?? []
        guard parts.count == 2, let layer = parts[1].after(" layer("), let file = files["\(folder)/\(parts[0])"],
            !String(decoding: file, as: UTF8.self).holds("@import")
        else { return nil }
        return Array("@layer \(layer) {\n".utf8)[...] + squeezed(file) + Array("}".utf8)
    }

    /// A sheet or script without the comments that have lines of their own, and without what
    /// indents a line.
    static func squeezed(_ file: [UInt8]) -> [UInt8] {
        var isComment = false
        let lines = file.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
        let kept = lines.filter { line in
            isComment = isComment || line.starts(with: "/*".utf8)
            defer { if line.suffix(2).elementsEqual("*/".utf8) { isComment = false } }
            return !isComment && !line.starts(with: "//".utf8)
        }
        return Array(kept.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
    }
}
