import Foundation

/// The files under `Templates`, read once at start. A template hides another of its name; languages are merged sentence by
/// sentence.
struct TemplateFiles {
    /// One language: its code and every sentence by dotted key.
    struct Locale {
        let code: String
        let sentences: [String: String]
    }

    private(set) var templates: [String: String] = [:]
    private(set) var locales: [Locale] = []

    /// English is the default and comes first.
    init(_ resources: Resources) throws {
        var sentences: [String: [String: String]] = [:]
        for (path, file) in resources.files(in: "Templates") {
            if let name = path.before(".mustache") {
                templates[String(name)] = try Self.text(file)
            } else if let code = path.after("locales/")?.before(".json") {
                sentences[String(code), default: [:]].merge(try Self.sentences(file)) { $1 }
            }
        }
        locales = sentences.map(Locale.init)
        locales.sort { ($0.code == "en" ? "" : $0.code) < ($1.code == "en" ? "" : $1.code) }
        guard let first = locales.first else { throw TemplateFault("no Templates/locales") }
        for locale in locales.dropFirst() {
            let missing = Set(first.sentences.keys).subtracting(locale.sentences.keys)
            guard missing.isEmpty else {
                throw TemplateFault("locale \(locale.code) lacks \(missing.sorted().joined(separator: ", "))")
            }
        }
    }

    private static func text(_ file: URL) throws -> String {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw TemplateFault("\(file.path) cannot be read, or is not UTF-8")
        }
        return text
    }

    private static func sentences(_ file: URL) throws -> [String: String] {
        do {
            return flat(try JSONSerialization.jsonObject(with: Data(text(file).utf8)), prefix: "")
        } catch let fault as TemplateFault {
            throw fault
        } catch {
            throw TemplateFault("\(file.path) is not JSON")
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
