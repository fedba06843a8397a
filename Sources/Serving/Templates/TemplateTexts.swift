/// The templates as they were found, by name.
struct TemplateTexts: Sendable {
    let byName: [String: String]
    /// Whether all are those that were installed, which are known to be right. Others are read at
    /// the start, as faults have to be found then.
    let areInstalled: Bool
    /// The template of that name and all that it includes, by name. Returns all there are where one
    /// is an operator's, as it may write its tags in another way.
    func needed(for name: String) -> [String: String] {
        guard areInstalled else { return byName }
        var (found, names) = ([String: String](), [name] + ValueTemplate.allCases.map(\.rawValue))
        while let name = names.popLast() {
            guard found[name] == nil, let text = byName[name] else { continue }
            found[name] = text
            names += TemplateOutline(text).included
        }
        return found
    }
}

/// Templates that pages get as values, so that any other template may show them.
package enum ValueTemplate: String, CaseIterable {
    case address = "partials/address"
    case date = "partials/date"
}
