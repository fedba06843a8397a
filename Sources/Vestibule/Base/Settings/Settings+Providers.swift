import Essentials
import Foundation
import JWTKit

extension Settings {
    /// Apple first, then the others by name.
    static func providers(
        _ read: SettingsReader, named names: [String], mode: Mode
    ) throws(SettingFault) -> [ProviderSettings] {
        var providers: [ProviderSettings] = []
        if let apple = try apple(read, mode: mode) { providers.append(apple) }
        for name in names { providers.append(try provider(read, name, mode: mode)) }
        return providers
    }

    private static func apple(_ read: SettingsReader, mode: Mode) throws(SettingFault) -> ProviderSettings? {
        let all: [Setting] = [.appleClientID, .appleTeamID, .appleKeyID, .applePrivateKeyFile]
        let given = all.filter { read.text($0) != nil }
        guard !given.isEmpty || read.text(.appleAppIDs) != nil else { return nil }
        let key = try ProviderSettings.AppleKey(
            teamID: read.required(.appleTeamID), keyID: read.required(.appleKeyID), key: appleKey(read)
        )
        return ProviderSettings(
            name: "apple", label: "Apple", issuer: try appleBase(read, mode: mode),
            clientID: try read.required(.appleClientID), proof: .apple(key), appIDs: read.list(.appleAppIDs)
        )
    }

    private static func appleKey(_ read: SettingsReader) throws(SettingFault) -> ES256PrivateKey {
        let file = try read.required(.applePrivateKeyFile)
        guard let pem = try? String(contentsOfFile: file, encoding: .utf8), let key = try? ES256PrivateKey(pem: pem)
        else {
            throw SettingFault(.applePrivateKeyFile, "is no readable file with a private key (PEM, P-256)")
        }
        return key
    }

    private static func appleBase(_ read: SettingsReader, mode: Mode) throws(SettingFault) -> String {
        guard let text = read.text(.appleBaseURL) else { return "https://appleid.apple.com" }
        guard mode != .production else {
            throw SettingFault(.appleBaseURL, "is for tests, and production mode refuses it", hint: "Leave it out.")
        }
        guard let origin = Origin(text) else { throw SettingFault(.appleBaseURL, "is \"\(text)\"") }
        return origin.text
    }

    private static func provider(
        _ read: SettingsReader, _ name: String, mode: Mode
    ) throws(SettingFault) -> ProviderSettings {
        let issuer = try required(read, .issuer, name)
        guard let origin = Origin(ofURL: issuer), !issuer.holds("?"), !issuer.holds("#"),
            origin.isSecure || (mode == .development && origin.isLoopback)
        else {
            throw SettingFault(
                ProviderSetting.issuer.name(of: name), "is \"\(issuer)\"",
                hint: "An https URL such as https://accounts.example.com, as the provider writes it."
            )
        }
        let label = try words(read, ProviderSetting.label.name(of: name)) ?? name.asciiLowercased.capitalized
        return ProviderSettings(
            name: name.asciiLowercased, label: label, issuer: issuer, clientID: try required(read, .clientID, name),
            proof: .secret(try required(read, .clientSecret, name)), appIDs: []
        )
    }

    private static func required(
        _ read: SettingsReader, _ setting: ProviderSetting, _ name: String
    ) throws(SettingFault) -> String {
        guard let value = read.text(setting.name(of: name), isSecret: setting == .clientSecret) else {
            throw SettingFault(setting.name(of: name), "is not set", hint: "\(setting.meaning).")
        }
        return value
    }
}

extension Origin {
    /// Whether it is this very machine.
    var isLoopback: Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains { text == "http://\($0)" || text.begins(with: "http://\($0):") }
    }
}
