import Essentials

/// The sentences that come in several forms: `time.minute.one`, `time.minute.other`.
struct PluralKeys: Sendable {
    /// The keys without the form.
    private let bases: Set<String>

    /// What English has as `one` and `other`.
    init(english: some Sequence<String>) {
        let keys = Set(english)
        // Characters: a set is searched.
        bases = Set(keys.lazy.compactMap { $0.before(".other").map(String.init) }.filter { keys.contains("\($0).one") })
    }

    /// What a key stands for; nil for a sentence with one form only.
    func parts(of key: String) -> (base: String, form: PluralForm)? {
        for form in PluralForm.allCases {
            guard let base = key.before(".\(form.rawValue)").map(String.init), bases.contains(base) else { continue }
            return (base, form)
        }
        return nil
    }

    /// The English key that says the same; nil for a form that the language does not have.
    func english(_ key: String, language code: String) -> String? {
        guard let (base, form) = parts(of: key) else { return key }
        guard PluralForm.all(language: code).contains(form) else { return nil }
        return form == .one ? key : "\(base).other"
    }

    /// What a file of that language has, by what the English one has.
    func keys(_ english: some Sequence<String>, language code: String) -> Set<String> {
        let forms = PluralForm.all(language: code)
        let single = english.filter { parts(of: $0) == nil }
        return Set(single).union(bases.flatMap { base in forms.map { "\(base).\($0.rawValue)" } })
    }
}
