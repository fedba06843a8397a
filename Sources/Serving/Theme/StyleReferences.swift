import Essentials

/// The files that a style sheet names: `url(../fonts/fir.woff2)`.
enum StyleReferences {
    /// The sheet with another address for each file that `link` knows, by its path under `Public`
    /// and as it is written there. Other files than sheets stay as they are.
    static func replaced(
        in css: [UInt8], at path: String, _ link: (_ path: String, _ written: String) -> String?
    ) -> [UInt8] {
        guard path.ends(with: ".css") else { return css }
        // By one byte: the standard library's search for several takes longer than all else here.
        let opening = UInt8(ascii: "(")
        let pieces = css.split(separator: opening, omittingEmptySubsequences: false)
        return pieces.dropFirst().reduce(into: Array(pieces[0])) { sheet, piece in
            let namesFile = sheet.suffix(3).elementsEqual("url".utf8)
            sheet.append(opening)
            let end = piece.firstIndex(of: UInt8(ascii: ")")) ?? piece.endIndex
            let written = String(decoding: piece[..<end], as: UTF8.self).trimming { " \"'\n".utf8.contains($0) }
            if namesFile, let address = link(file(written, from: path), written) {
                sheet += "\"\(address)\"".utf8 + piece[end...]
            } else {
                sheet += piece
            }
        }
    }

    /// The path of the file without query, seen from the sheet at `path`.
    private static func file(_ written: String, from path: String) -> String {
        var rest = written.parts(by: "?")[0]
        guard !rest.begins(with: "/") else { return String(rest) }
        var folder = path.parts(by: "/").dropLast()
        while let inside = rest.after("../") {
            folder = folder.dropLast()
            rest = inside
        }
        return (folder + [rest]).joined(separator: "/")
    }
}
