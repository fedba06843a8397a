import Essentials
import Foundation

/// A program of the site's own that is told what happens (Standard Webhooks 1.0).
package struct Webhook: Sendable {
    /// In lower case.
    package let name: String
    let url: String
    let origin: Origin
    let events: [String]
    /// The secrets that sign; with none a key of ours does.
    let secrets: [WebhookSecret]
    package let secretFile: String?
}

/// A secret that the receiver has, too.
struct WebhookSecret: Secret, Sendable {
    let bytes: [UInt8]

    /// `whsec_` and 24 to 64 bytes as base64; nil for anything else.
    init?(_ text: some StringProtocol) {
        guard let base64 = text.after("whsec_"), let data = Data(base64Encoded: String(base64)),
            (24...64).contains(data.count)
        else { return nil }
        bytes = [UInt8](data)
    }
}

extension Settings {
    static func webhook(_ read: SettingsReader, _ name: String) -> Webhook? {
        let (url, events, secrets) = (webhookURL(read, name), webhookEvents(read, name), webhookSecrets(read, name))
        guard let url, let origin = Origin(ofURL: url) else { return nil }
        return Webhook(
            name: name.asciiLowercased, url: url, origin: origin, events: events, secrets: secrets,
            secretFile: read.text(WebhookSetting.secretFile.name(of: name)))
    }

    private static func webhookURL(_ read: SettingsReader, _ name: String) -> String? {
        let setting = WebhookSetting.url.name(of: name)
        if read.text(setting) == nil { read.note(setting, "is not set", hint: "\(WebhookSetting.url.meaning).") }
        return receiverURL(read, setting, example: "https://example.com/events")
    }

    /// Where signals are sent; plain http does not leave the machine. Returns nil if it is not set.
    static func receiverURL(_ read: SettingsReader, _ setting: String, example: String) -> String? {
        guard let url = read.text(setting) else { return nil }
        if let origin = Origin(ofURL: url), !url.holds("#"), origin.isSecure || origin.isLoopback { return url }
        // The value is not shown: many such URLs hold a secret of the receiver.
        read.note(
            setting, "is no URL that this server can send to",
            hint: """
                An https URL such as \(example), without user name, password and #; http on localhost, 127.0.0.1 or [::1] \
                only.
                """)
        return nil
    }

    private static func webhookEvents(_ read: SettingsReader, _ name: String) -> [String] {
        let setting = WebhookSetting.events.name(of: name)
        guard read.text(setting) != nil else { return Signal.events }
        let events = read.list(named: setting)
        for odd in events.isEmpty ? [""] : events.filter({ !Signal.events.contains($0) }) {
            read.note(setting, "has \"\(odd)\"", hint: "Of these: \(Signal.events.joined(separator: ", ")).")
        }
        return events
    }

    private static func webhookSecrets(_ read: SettingsReader, _ name: String) -> [WebhookSecret] {
        let setting = WebhookSetting.secretFile.name(of: name)
        guard let file = read.text(setting) else { return [] }
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        let lines = text.textLines.map(\.trimmingSpaces).filter { !$0.isEmpty }
        let secrets = lines.compactMap { WebhookSecret($0) }
        if secrets.isEmpty || secrets.count != lines.count {
            read.note(
                setting, "is no readable file with secrets",
                hint: "The server's user has to be able to read it. A line each: whsec_ and 24 to 64 random bytes as "
                    + "base64, as `openssl rand -base64 32` prints them.")
        }
        return secrets
    }
}
