import Serving

extension Flash {
    /// After a new password: which ways in it took away, and which are left.
    init(_ notice: Notice, ways: WaysInNotice, providers: Providers) {
        let named = [("removed", ways.removed), ("kept", ways.kept)]
        let details = named.compactMap { key, names -> Detail? in
            let labels = names.sorted().compactMap { providers.named($0)?.settings.label }.joined(separator: ", ")
            return labels.isEmpty ? nil : Detail(key: "notice.ways_\(key)", values: ["ways": labels])
        }
        self.init(notice, details: details)
    }
}
