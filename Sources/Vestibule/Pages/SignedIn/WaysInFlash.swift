import Serving

extension Flash {
    /// After a new password: which ways in it took away, and which are left.
    init(_ notice: Notice, ways: WaysInNotice, providers: Providers) {
        func labels(_ names: Set<String>) -> [String] {
            names.sorted().compactMap { providers.named($0)?.settings.label }
        }
        let named = [
            ("ways_removed", labels(ways.removed)), ("passkeys_removed", ways.removedPasskeys),
            ("ways_kept", labels(ways.kept)), ("passkeys_kept", ways.keptPasskeys),
        ]
        let details = named.filter { !$0.1.isEmpty }.map { key, names in
            Detail(key: "notice.\(key)", values: ["ways": Self.shortened(names).joined(separator: ", ")])
        }
        self.init(notice, details: ways.endsAll ? [Detail(key: "notice.ways_unproved", values: [:])] : details)
    }

    /// A cookie has no room for twenty names; the mail has them all.
    private static func shortened(_ names: [String]) -> [String] {
        names.count <= 4 ? names : names.prefix(3) + ["…"]
    }
}
