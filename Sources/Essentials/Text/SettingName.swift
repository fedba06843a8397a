/// Names of settings that hold a name of the operator's own: `VESTIBULE_APP_<NAME>_ORIGINS`.
package enum SettingName {
    /// The operator's part: 1 to 32 capital letters and digits. Nil if the name is another.
    package static func part(of name: String, between prefix: String, and suffix: String) -> String? {
        guard let part = name.after(prefix)?.before(suffix), (1...32).contains(part.utf8.count),
            part.utf8.allSatisfy({ (65...90).contains($0) || (48...57).contains($0) })
        else { return nil }
        return String(part)
    }
}
