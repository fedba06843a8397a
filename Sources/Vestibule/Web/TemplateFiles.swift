import Foundation

/// The files under `Templates`, read once at start.
struct TemplateFiles {
    /// One language: its code and every sentence by dotted key.
    struct Locale {
        let code: String
        let sentences: [String: String]
    }

    private(set) var templates: [String: String] = [:]
    private(set) var locales: [Locale] = []

    /// English is the default and comes first.
    init(directory: String) throws {
        let root = URL(filePath: directory, directoryHint: .isDirectory).resolvingSymlinksInPath()
        guard let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap({ $0 as? String }) else {
            throw TemplateFault("no templates in \(directory)")
        }
        for path in paths.sorted() {
            let file = root.appending(path: path)
            if path.hasSuffix(".mustache") {
                templates[String(path.dropLast(9))] = try String(contentsOf: file, encoding: .utf8)
            } else if path.hasPrefix("locales/"), path.hasSuffix(".json") {
                let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
                let code = String(path.dropFirst(8).dropLast(5))
                locales.append(Locale(code: code, sentences: Self.flat(json, prefix: "")))
            }
        }
        locales.sort { ($0.code == "en" ? "" : $0.code) < ($1.code == "en" ? "" : $1.code) }
        guard let first = locales.first else { throw TemplateFault("no locales in \(directory)") }
        for locale in locales.dropFirst() {
            let missing = Set(first.sentences.keys).subtracting(locale.sentences.keys)
            guard missing.isEmpty else {
                throw TemplateFault("locale \(locale.code) lacks \(missing.sorted().joined(separator: ", "))")
            }
        }
    }

    private static func flat(_ json: Any, prefix: String) -> [String: String] {
        if let sentence = json as? String { return [prefix: sentence] }
        guard let branch = json as? [String: Any] else { return [:] }
        return branch.reduce(into: [:]) { all, entry in
            let key = prefix.isEmpty ? entry.key : "\(prefix).\(entry.key)"
            all.merge(flat(entry.value, prefix: key)) { first, _ in first }
        }
    }
}
