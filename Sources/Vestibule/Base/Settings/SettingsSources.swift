import Essentials

/// Where settings come from, nearest first: command-line flags, environment, `.env`, defaults.
package enum SettingsSources {
    /// Reads all of them. Throws everything that is wrong at once, a `VESTIBULE_*` name that does
    /// not exist included: a typo would lose data. An empty value says nothing: the next source is
    /// asked. `keyFile` is where development has made a key.
    package static func read(
        flags: [Setting: String],
        environment: [String: String],
        environmentFile: String?,
        keyFile: String? = nil
    ) throws(SettingFaults) -> Settings {
        let (fileValues, fileFaults) = assignments(in: environmentFile ?? "")
        let flagValues = Dictionary(uniqueKeysWithValues: flags.map { ($0.key.rawValue, $0.value) })
        let sources = [flagValues, environment, fileValues].map { $0.filter { !$0.value.isEmpty } }
        let reader = SettingsReader(sources, keyFile: keyFile)
        let said = sources.flatMap(\.keys)
        let names = Set(environment.keys).union(fileValues.keys).sorted()
        let slips = fileValues.keys.sorted().compactMap(misspelled)
        for fault in fileFaults + names.compactMap(unknown) + slips { reader.note(fault) }
        return try Settings(
            reader, providers: Set(said.compactMap(ProviderSetting.owner(in:))).sorted(),
            applications: Set(said.compactMap(ApplicationSetting.owner(in:))).sorted(),
            webhooks: Set(said.compactMap(WebhookSetting.owner(in:))).sorted()
        )
    }

    /// What `.env` says, and which lines say nothing, or say again what another said.
    private static func assignments(in file: String) -> ([String: String], [SettingFault]) {
        var (values, faults): ([String: String], [SettingFault]) = ([:], [])
        // Editors on Windows begin a file with a byte order mark.
        for (index, line) in (file.after("\u{FEFF}") ?? file[...]).textLines.enumerated()
        where !line.trimmingSpaces.isEmpty && !line.trimmingSpaces.begins(with: "#") {
            guard let (name, value) = assignment(in: line) else {
                faults.append(
                    SettingFault(
                        ".env", "line \(index + 1) is not NAME=value",
                        hint: "A name has letters, digits and _; comments begin with #."))
                continue
            }
            guard let value = unquoted(value) else {
                let hint = "The value in line \(index + 1) of .env begins with it."
                faults.append(SettingFault(name, "has a quote that is not closed", hint: hint))
                continue
            }
            guard values.updateValue(value, forKey: name) != nil else { continue }
            faults.append(SettingFault(name, "comes twice in .env", hint: "Line \(index + 1) says it again."))
        }
        return (values, faults)
    }

    /// `NAME=value`, as a shell would take it, too (`export NAME=value`). Names have letters,
    /// digits and `_`: any other may be one of ours, and would be passed over.
    private static func assignment(in line: Substring) -> (String, String)? {
        var text = line.trimmingSpaces
        if let exported = text.after("export ") { text = exported.trimmingSpaces }
        let parts = text.parts(by: "=", atMost: 2).map(\.trimmingSpaces)
        let isName = parts.first?.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") } ?? false
        guard parts.count == 2, isName, !parts[0].isEmpty else { return nil }
        return (parts[0], parts[1])
    }

    /// The value without the pair of quotes that it stands in. Nil if it begins with a quote that
    /// is not closed; as it is if something follows, such as the address after a quoted name.
    private static func unquoted(_ value: String) -> String? {
        for quote: Unicode.Scalar in ["\"", "'"] {
            guard let rest = value.after("\(quote)") else { continue }
            return rest.before("\(quote)").map(String.init) ?? (rest.parts(by: quote).count > 1 ? value : nil)
        }
        return value
    }

    /// What is wrong with the name; nil for those there are and those that are not ours.
    private static func unknown(_ name: String) -> SettingFault? {
        guard name.asciiLowercased.begins(with: "vestibule_") else { return nil }
        if let setting = Setting(rawValue: name), setting.rawValue.isExactly(name) { return nil }
        let named: [any NamedSetting.Type] = [ProviderSetting.self, ApplicationSetting.self, WebhookSetting.self]
        guard named.allSatisfy({ $0.owner(in: name) == nil }) else { return nil }
        if let hint = FormerSetting.hint(for: name) {
            return SettingFault(name, "is not a setting any more", hint: hint)
        }
        if let fault = named.lazy.compactMap({ $0.misnamed(name) }).first { return fault }
        return SettingFault(name, "is not a setting", hint: suggestion(for: name))
    }

    /// What is wrong with a name that begins nearly as ours do; nil for every other one. Only of
    /// `.env`: in the environment stand the names of other programs, too.
    private static func misspelled(_ name: String) -> SettingFault? {
        // Characters: names have ASCII letters, digits and _.
        let (capitals, word) = (name.uppercased(), "VESTIBULE")
        let head = String(capitals.parts(by: "_")[0])
        // As many letters as are left of the word when two are forgotten.
        guard !capitals.begins(with: "\(word)_"), head.utf8.count + 2 >= word.utf8.count,
            Suggestion.nearest(to: head, among: [word]) != nil
        else { return nil }
        let rest = capitals.after(word) ?? capitals.after("\(head)_") ?? ""
        let meant = "\(word)_\(rest)"
        // A longer first word is a name of its own unless one of our names has lost its `_`.
        let isOurs =
            head.utf8.count <= word.utf8.count || Suggestion.nearest(to: meant, among: candidates(for: meant)) != nil
        return rest.isEmpty || !isOurs ? nil : SettingFault(name, "is not a setting", hint: suggestion(for: meant))
    }

    private static func suggestion(for name: String) -> String {
        let nearest = Suggestion.nearest(to: name, among: candidates(for: name))
        return nearest.map { "Did you mean \($0)?" } ?? "`vestibule doctor --settings` lists them all."
    }

    /// All settings there are, those of the OpenID provider or application that an unknown name
    /// begins with included.
    private static func candidates(for name: String) -> [String] {
        Setting.allCases.map(\.rawValue) + ProviderSetting.names(nearTo: name) + ApplicationSetting.names(nearTo: name)
            + WebhookSetting.names(nearTo: name)
    }
}
