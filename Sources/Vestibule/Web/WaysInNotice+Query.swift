import Hummingbird

extension WaysInNotice {
    /// For the address of the next page: names of providers, nothing a stranger could choose.
    var query: String {
        [("kept", kept), ("removed", removed)].filter { !$0.1.isEmpty }
            .map { "&\($0.0)=\($0.1.sorted().joined(separator: ","))" }.joined()
    }
}

extension Web {
    /// What a redirect has to say, in the visitor's language: the notice, and after a new password
    /// which ways in remain.
    func notice(_ request: Request, _ context: AppContext) -> String? {
        guard let notice = Notice(request) else { return nil }
        var sentences = [pages.sentence(notice.sentenceKey, context)]
        guard [.passwordChanged, .passwordReplaced].contains(notice) else { return sentences[0] }
        for name in ["removed", "kept"] {
            guard let labels = labels(request.uri.queryParameters.get(name)) else { continue }
            sentences.append(pages.sentence("notice.ways_\(name)", context, ["ways": labels]))
        }
        return sentences.joined(separator: " ")
    }

    /// What the providers of that list are called; those that are not configured are left out.
    private func labels(_ names: String?) -> String? {
        let names = (names ?? "").utf8.split(separator: UInt8(ascii: ",")).prefix(20).compactMap { String($0) }
        let labels = names.compactMap { providers.named($0)?.settings.label }
        return labels.isEmpty ? nil : labels.joined(separator: ", ")
    }
}
