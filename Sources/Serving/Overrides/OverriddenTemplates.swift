import Essentials

/// The operator's own templates beside those that were installed with this version.
package struct OverriddenTemplates {
    private let shipped: [String: TemplateOutline]
    private let used: [String: TemplateOutline]
    private let sentences: Set<String>
    /// Of the site, as far as templates or sentences of this version name them.
    private let constants: Set<String>
    /// Names of values that any page or mail shows in this version.
    private let values: Set<String>
    /// Sentences that were installed and are not there, as a whole folder of templates stands in
    /// the place of the installed one.
    private let lostSentences: [String]
    /// Paths of those that differ, without `.mustache`.
    package let names: [String]

    /// What a page or mail lacks: something does not work, or is only not shown.
    package struct Gap: Equatable {
        package let words: String
        package let isFault: Bool
    }

    /// Throws `TemplateFault`.
    package init(installed: Resources, used: Resources) throws {
        let (shipped, own) = (try TemplateFiles(installed), try TemplateFiles(used))
        names = own.templates.filter { name, text in
            shipped.templates[name].map { !$0.isExactly(text) } ?? true
        }.keys.sorted()
        let outlines = shipped.templates.mapValues(TemplateOutline.init)
        let said = shipped.languages[0].sentences.values.map { TemplateOutline($0).nodes }.joined()
        values = outlines.keys.reduce(into: Set(said.compactMap(\.value))) {
            $0.formUnion(TemplateExpansion($1, of: outlines).values)
        }
        self.shipped = outlines
        self.used = own.templates.mapValues(TemplateOutline.init)
        constants = self.shipped.values.reduce(into: LanguageCheck.constants.union(ThemeColors.constants)) {
            $0.formUnion($1.constants)
        }
        sentences = Set(own.languages[0].sentences.keys)
        lostSentences = shipped.languages[0].sentences.keys.filter { own.languages[0].sentences[$0] == nil }.sorted()
    }

    /// `optional`: fields that a form may leave out.
    package func gaps(optional: Set<String>) -> [Gap] {
        let pages = Set(shipped.keys).union(used.keys).filter { !$0.begins(with: "partials/") }.sorted()
        let all = names.flatMap(ownGaps) + pages.flatMap { pageGaps($0, optional: optional) } + languageGap
        // Pages share forms.
        return all.enumerated().filter { !all[..<$0.offset].contains($0.element) }.map(\.element)
    }

    private var languageGap: [Gap] {
        guard let first = lostSentences.first else { return [] }
        let count = lostSentences.count
        let what = count == 1 ? "1 sentence is" : "\(count) sentences are"
        return [Gap(words: "\(what) missing in locales/en.json: \(first) first", isFault: true)]
    }

    /// What one file of the operator's names that there is not.
    private func ownGaps(_ name: String) -> [Gap] {
        var gaps: [Gap] = []
        var nodes = used[name]?.nodes ?? []
        var (absent, unsaid, empty): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        while let node = nodes.popLast() {
            switch node {
            case .include(let other):
                if used[TemplateOutline.path(other)] == nil { absent.insert(other) }
            case .parent(let other, let blocks):
                if used[TemplateOutline.path(other)] == nil { absent.insert(other) }
                nodes += blocks.values.flatMap { $0 }
            case .block(_, let standard): nodes += standard
            case .sentence(let key):
                if key.holds("."), !key.begins(with: "site."), !sentences.contains(key) { unsaid.insert(key) }
            case .value(let key): if !key.isEmpty, !values.contains(key) { empty.insert(key) }
            case .text: continue
            }
        }
        gaps += empty.sorted().map { emptyGap(name, $0) }
        for other in absent.sorted() {
            gaps.append(Gap(words: "\(file(name)) includes \(other), which there is not", isFault: true))
        }
        for key in unsaid.sorted() {
            gaps.append(Gap(words: "\(file(name)) has [[\(key)]], and there is no such sentence", isFault: true))
        }
        return gaps + tagGaps(name)
    }

    /// A value that does not exist, or a constant that is written as one: both show nothing.
    private func emptyGap(_ name: String, _ key: String) -> Gap {
        let isConstant = constants.contains(key)
        let mark = TemplatePass.isText(name) ? "&" : ""
        let words = isConstant ? ": write [[\(mark)\(key)]]" : ", and no page or mail has such a value"
        return Gap(words: "\(file(name)) has \(key) as a value, which shows nothing\(words)", isFault: isConstant)
    }

    /// Constants that there are not, and values that are not escaped.
    private func tagGaps(_ name: String) -> [Gap] {
        let unknown = (used[name]?.constants ?? []).filter { key in
            !constants.contains { "\(key).".begins(with: "\($0).") }
        }
        let unescaped = TemplatePass.isText(name) ? [] : used[name]?.unescaped.subtracting(constants) ?? []
        return unknown.sorted().map { key in
            let nearest = Suggestion.nearest(to: key, among: constants.sorted())
            let meant = nearest.map { ", did you mean [[\($0)]]?" } ?? ""
            return Gap(words: "\(file(name)) has [[\(key)]], and there is no such constant\(meant)", isFault: true)
        }
            + unescaped.sorted().map { value in
                let words = "its value is not escaped, so what a visitor typed becomes HTML: write {{\(value)}}"
                return Gap(words: "\(file(name)) has {{{\(value)}}}: \(words)", isFault: false)
            }
    }

    /// What a page lacks that is made with files of the operator's.
    private func pageGaps(_ name: String, optional: Set<String>) -> [Gap] {
        let (now, ours) = (TemplateExpansion(name, of: used), TemplateExpansion(name, of: shipped))
        let own = names.filter { now.parts.contains($0) || ours.parts.contains($0) }
        guard !own.isEmpty else { return [] }
        guard shipped[name] != nil else {
            return isIncluded(name)
                ? [] : [Gap(words: "\(file(name)) is used by no page of this version", isFault: false)]
        }
        let files = own.map(file).joined(separator: ", ")
        let forms = PageForms(now.text).missing(of: PageForms(ours.text)).flatMap { action, fields in
            formGaps(files, name, action, fields, optional: optional)
        }
        let lost = now.lostBlocks.subtracting(ours.lostBlocks).sorted().map {
            Gap(words: "\(files): nothing shows what {{$\($0)}} is filled with", isFault: true)
        }
        return forms + lost + valueGaps(files, name, ours.values.subtracting(now.values))
    }

    /// A page is of no use without the form that is sent to its own path, such as `login` without
    /// that to `/login`. Without another form it does less.
    private func formGaps(
        _ files: String, _ page: String, _ action: String, _ fields: Set<String>?, optional: Set<String>
    ) -> [Gap] {
        let form = action.isEmpty ? "the page" : "the form to \(action)"
        guard let fields else {
            let isOwn = action.isExactly("/\(page)")
            return action.isEmpty ? [] : [Gap(words: "\(files): there is no form to \(action)", isFault: isOwn)]
        }
        return fields.sorted().map { field in
            let isFault = !optional.contains(field)
            return Gap(
                words: "\(files): \(form) lacks the \(isFault ? "field" : "optional field") \"\(field)\"",
                isFault: isFault)
        }
    }

    /// A mail without its code is of no use; other values are only not shown.
    private func valueGaps(_ files: String, _ page: String, _ lost: Set<String>) -> [Gap] {
        guard !lost.isEmpty else { return [] }
        let needed = page.begins(with: "mail/") ? lost.intersection(["code", "token"]) : []
        let rest = lost.subtracting(needed).sorted().map { "{{\($0)}}" }.joined(separator: ", ")
        return needed.sorted().map { Gap(words: "\(files): the mail lacks {{\($0)}}", isFault: true) }
            + (rest.isEmpty ? [] : [Gap(words: "\(files): \(page) does not use \(rest)", isFault: false)])
    }

    private func isIncluded(_ name: String) -> Bool {
        used.keys.contains { !$0.isExactly(name) && TemplateExpansion($0, of: used).parts.contains(name) }
    }

    private func file(_ name: String) -> String { "Templates/\(name).mustache" }
}

extension Resources {
    /// The operator's templates beside those installed with the executable. Returns nil when these
    /// are the same folder, as in a checkout, or not found; throws `TemplateFault`.
    package func overriddenTemplates(executable: String) throws -> OverriddenTemplates? {
        guard let installed = Self.installed(executable: executable), installed.places != places else { return nil }
        return try OverriddenTemplates(installed: installed, used: self)
    }
}
