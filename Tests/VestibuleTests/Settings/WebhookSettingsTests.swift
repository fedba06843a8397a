import Foundation
import Testing

@testable import Essentials
@testable import Vestibule

struct WebhookSettingsTests {
    private static let url = "VESTIBULE_WEBHOOK_PORTAL_URL"

    private func settings(_ values: [String: String]) throws -> [Webhook] {
        try SettingsSources.read(flags: [:], environment: values, environmentFile: nil).webhooks
    }

    private func faults(_ values: [String: String]) -> [String] {
        do {
            _ = try settings(values)
            return []
        } catch let faults as SettingFaults {
            return faults.all.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `a webhook is told everything, and a key of ours signs, unless something else is said`() throws {
        let webhook = try #require(try settings([Self.url: "https://portal.example.com/events"]).first)
        #expect(webhook.name == "portal" && webhook.events == Signal.events && webhook.secrets.isEmpty)
        let some = try settings([
            Self.url: "http://127.0.0.1:9000/", "VESTIBULE_WEBHOOK_PORTAL_EVENTS": "session.ended, account.deleted",
        ])
        #expect(some.first?.events == ["session.ended", "account.deleted"])
    }

    @Test(arguments: [
        "http://portal.example.com/", "http://192.168.1.4/", "ftp://localhost/",
        "https://bob:s3cret@portal.example.com/", "portal", "https://portal.example.com/#x",
        "http://localhost.example.com/", "https://portal example.com/",
    ])
    func `plain http leaves the machine never`(url: String) {
        #expect(faults([Self.url: url]) == ["\(Self.url) is no URL that this server can send to"])
    }

    @Test(arguments: ["http://localhost:9000/x", "http://[::1]:9000/", "https://192.168.1.4/", "https://[fd00::1]/x?y"])
    func `this machine, and addresses that are named, may be told`(url: String) throws {
        #expect(try settings([Self.url: url]).map(\.url) == [url])
    }

    @Test func `what is missing, unknown or misspelt stops the start`() {
        #expect(faults(["VESTIBULE_WEBHOOK_PORTAL_EVENTS": "session.ended"]) == ["\(Self.url) is not set"])
        let events = "VESTIBULE_WEBHOOK_PORTAL_EVENTS"
        #expect(
            faults([Self.url: "http://localhost/", events: "session.begun"]) == ["\(events) has \"session.begun\""])
        #expect(faults([Self.url: "http://localhost/", events: ","]) == ["\(events) has \"\""])
        #expect(
            faults(["VESTIBULE_WEBHOOK_PORTAL_URI": "http://localhost/"]) == [
                "VESTIBULE_WEBHOOK_PORTAL_URI is not a setting"
            ])
        #expect(
            faults(["VESTIBULE_WEBHOOK_MY_PORTAL_URL": "http://localhost/"]) == [
                "VESTIBULE_WEBHOOK_MY_PORTAL_URL is not a setting: the name in it, MY_PORTAL, may have capital letters "
                    + "and digits only"
            ])
    }

    @Test func `secrets stand in a file, a line each`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let setting = "VESTIBULE_WEBHOOK_PORTAL_SECRET_FILE"
        let values = [Self.url: "http://localhost/", setting: file.path]
        let secret = { (count: Int) in "whsec_" + Data(repeating: 7, count: count).base64EncodedString() }
        try Data("\(secret(24))\n\(secret(64))\n".utf8).write(to: file)
        let webhook = try #require(try settings(values).first)
        #expect(webhook.secrets.map(\.bytes.count) == [24, 64] && !"\(webhook)".contains("[7"))
        for text in ["", secret(23), secret(65), "whsec_%", String(secret(32).dropFirst()), "\(secret(32))\nnone"] {
            try Data(text.utf8).write(to: file)
            #expect(faults(values) == ["\(setting) is no readable file with secrets"], "\(text)")
        }
        try FileManager.default.removeItem(at: file)
        #expect(faults(values) == ["\(setting) is no readable file with secrets"])
        let told = #expect(throws: SettingFaults.self) { try settings(values) }
        #expect(told?.all.first?.hint.contains("The server's user has to be able to read it.") == true)
    }
}
