import Essentials
import Foundation
import JWTKit

extension Settings {
    /// In the operator's order, then by name.
    static func providers(_ read: SettingsReader, named names: [String], mode: Mode?) -> [ProviderSettings] {
        let first = [apple(read, mode: mode)].compactMap { $0 }
        let providers = first + names.compactMap { provider(read, $0, mode: mode) }
        let order = read.list(.providerOrder).map(\.asciiLowercased)
        let known = providers.map(\.name)
        if let odd = order.first(where: { !known.contains($0) }) {
            let hint = known.isEmpty ? "There are no providers." : "Of these: \(known.joined(separator: ", "))."
            read.note(.providerOrder, "names \"\(odd)\"", hint: hint)
        }
        func rank(_ name: String) -> (Int, String) { (order.firstIndex(of: name) ?? order.count, name) }
        return providers.sorted { rank($0.name) < rank($1.name) }
    }

    private static func apple(_ read: SettingsReader, mode: Mode?) -> ProviderSettings? {
        let all: [Setting] = [.appleClientID, .appleTeamID, .appleKeyID, .applePrivateKeyFile, .appleAppIDs]
        guard all.contains(where: read.isSet) else { return nil }
        // All are read before one is missed, so that each that is missing is said.
        let texts = [Setting.appleClientID, .appleTeamID, .appleKeyID].compactMap(read.required)
        let (found, base) = (appleKey(read), appleBase(read, mode: mode))
        guard texts.count == 3, let (key, file) = found, let issuer = base else { return nil }
        return ProviderSettings(
            name: "apple", label: "Apple", issuer: issuer, clientID: texts[0],
            proof: .apple(ProviderSettings.AppleKey(teamID: texts[1], keyID: texts[2], key: key, file: file)),
            appIDs: read.list(.appleAppIDs)
        )
    }

    private static func appleKey(_ read: SettingsReader) -> (ES256PrivateKey, file: String)? {
        guard let file = read.required(.applePrivateKeyFile) else { return nil }
        if let pem = try? String(contentsOfFile: file, encoding: .utf8), let key = try? ES256PrivateKey(pem: pem) {
            return (key, file)
        }
        read.note(.applePrivateKeyFile, "is no readable file with a private key (PEM, P-256)")
        return nil
    }

    private static func appleBase(_ read: SettingsReader, mode: Mode?) -> String? {
        guard read.isSet(.appleBaseURL) else { return "https://appleid.apple.com" }
        if mode == .production {
            read.note(.appleBaseURL, "is for tests, and production mode refuses it", hint: "Leave it out.")
        }
        return read.value(.appleBaseURL) { Origin($0)?.text }
    }

    private static func provider(_ read: SettingsReader, _ name: String, mode: Mode?) -> ProviderSettings? {
        let wanted = issuer(read, name, mode: mode)
        let label = words(read, ProviderSetting.label.name(of: name)) ?? name.asciiLowercased.capitalized
        let texts = [ProviderSetting.clientID, .clientSecret].compactMap { required(read, $0, name) }
        guard let issuer = wanted, texts.count == 2 else { return nil }
        return ProviderSettings(
            name: name.asciiLowercased, label: label, issuer: issuer, clientID: texts[0], proof: .secret(texts[1]),
            appIDs: read.list(named: ProviderSetting.appIDs.name(of: name))
        )
    }

    private static func issuer(_ read: SettingsReader, _ name: String, mode: Mode?) -> String? {
        guard let issuer = required(read, .issuer, name) else { return nil }
        if let origin = Origin(ofURL: issuer), !issuer.holds("?"), !issuer.holds("#"),
            origin.isSecure || (mode != .production && origin.isLoopback)
        {
            return issuer
        }
        read.note(
            ProviderSetting.issuer.name(of: name), "is \"\(issuer)\"",
            hint: "An https URL such as https://accounts.example.com, as the provider writes it."
        )
        return nil
    }

    private static func required(_ read: SettingsReader, _ setting: ProviderSetting, _ name: String) -> String? {
        if let value = read.text(setting.name(of: name)) {
            let ends = [value.unicodeScalars.first, value.unicodeScalars.last].compactMap { $0 }
            if setting != .issuer, ends.contains(where: \.properties.isWhitespace) {
                read.note(setting.name(of: name), "begins or ends with white space", hint: "Remove the white space.")
            }
            return value
        }
        read.note(setting.name(of: name), "is not set", hint: "\(setting.meaning).")
        return nil
    }
}

extension Origin {
    /// Whether it is this very machine.
    var isLoopback: Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains { text == "http://\($0)" || text.begins(with: "http://\($0):") }
    }
}
