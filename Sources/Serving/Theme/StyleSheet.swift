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
        return Array("@layer \(layer) {\n".utf8)[...] + file + Array("}".utf8)
    }

    /// A sheet or script without the comments that begin a line, and without what indents one. Not
    /// for scripts with strings of several lines.
    static func squeezed(_ file: [UInt8]) -> [UInt8] {
        var isComment = false
        let lines = file.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
        let kept = lines.compactMap { line -> ArraySlice<UInt8>? in
            let begins = !isComment && line.starts(with: "/*".utf8)
            guard isComment || begins else { return line.starts(with: "//".utf8) ? nil : line }
            // The standard library's search for several bytes takes longer than all else here.
            let end = line.dropFirst(begins ? 2 : 0).indices.first { line[$0...].starts(with: "*/".utf8) }
            isComment = end == nil
            let rest = end.map { line[$0...].dropFirst(2) } ?? []
            return rest.allSatisfy { $0 == UInt8(ascii: "\r") } ? nil : rest
        }
        return Array(kept.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
    }
}
