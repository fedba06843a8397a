import Essentials

/// The forms of a page, each with the names of its fields.
struct PageForms {
    struct Form {
        /// Where it is sent to; of what stands in no form, empty.
        let action: String
        var fields: Set<String> = []
    }

    private(set) var forms: [Form] = []
    private static let controls = ["input", "button", "select", "textarea"]

    init(_ html: [UInt8]) {
        var (outside, inside): (Form, Form?) = (Form(action: ""), nil)
        for tag in html.split(separator: UInt8(ascii: "<")).map({ $0.prefix { $0 != UInt8(ascii: ">") } }) {
            let name = String(
                decoding: tag.prefix { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "/") }, as: UTF8.self)
            switch name {
            case "form":
                inside = Form(action: Self.attribute("action", tag) ?? "")
            case "/form":
                forms += [inside].compactMap { $0 }
                inside = nil
            case _ where Self.controls.contains(name):
                guard let field = Self.attribute("name", tag), !field.isEmpty else { continue }
                if inside == nil { outside.fields.insert(field) } else { inside?.fields.insert(field) }
            default: continue
            }
        }
        forms.append(outside)
    }

    private static func attribute(_ name: String, _ tag: ArraySlice<UInt8>) -> String? {
        let opening = Array(" \(name)=\"".utf8)
        guard tag.count > opening.count else { return nil }
        let starts = tag.startIndex...(tag.endIndex - opening.count)
        guard let start = starts.first(where: { tag[$0...].starts(with: opening) }) else { return nil }
        return String(decoding: tag[(start + opening.count)...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }

    /// Each form of ours that this page has not, or not with all fields: where it is sent to, and
    /// what is missing; nil for all of it.
    func missing(of shipped: PageForms) -> [(action: String, fields: Set<String>?)] {
        shipped.forms.compactMap { form in
            // Of several that are sent to the same place the one that is meant lacks least.
            let rests = forms.filter { $0.action.isExactly(form.action) }.map { form.fields.subtracting($0.fields) }
            guard let least = rests.min(by: { $0.count < $1.count }) else { return (form.action, nil) }
            return least.isEmpty ? nil : (form.action, least)
        }
    }
}
