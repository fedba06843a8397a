import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

struct SettingsTests {
    private func read(
        _ environment: [String: String], flags: [Setting: String] = [:], file: String? = nil
    ) throws(SettingFaults) -> Settings {
        try SettingsSources.read(flags: flags, environment: environment, environmentFile: file)
    }

    @Test func `everything has a default`() throws {
        let settings = try read(["PATH": "/bin"])
        #expect(settings.mode == .development && settings.port == 8080 && settings.host == "127.0.0.1")
        #expect(settings.publicURL.text == "http://localhost:8080")
        #expect(settings.databaseURL == .sqlite(path: "data/vestibule.sqlite"))
        #expect(settings.limits.login.count == 4 && settings.passwordMinLength == 8)
    }

    @Test func `a flag wins over the environment, that over the file`() throws {
        let file = "# comment\nVESTIBULE_PORT=1\nVESTIBULE_HOST=0.0.0.0\nVESTIBULE_BRAND_NAME=\"File & Co\"\n"
        let settings = try read(
            ["VESTIBULE_PORT": "2", "VESTIBULE_HOST": "::1"], flags: [.port: "3"], file: file
        )
        #expect(settings.port == 3 && settings.host == "::1" && settings.brandName == "File & Co")
    }

    @Test func `an empty value says nothing, and the next source is asked`() throws {
        let settings = try read(
            ["VESTIBULE_PORT": ""], flags: [.host: ""], file: "VESTIBULE_PORT=1\nVESTIBULE_HOST=::1\n")
        #expect(settings.port == 1 && settings.host == "::1")
    }

    @Test func `an empty value names no application, provider or webhook`() throws {
        let names = ["APP_NOTES_LABEL", "OIDC_X_LABEL", "WEBHOOK_PORTAL_URL"].map { "VESTIBULE_\($0)" }
        let settings = try read(Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
        #expect(settings.applications.isEmpty && settings.providers.isEmpty && settings.webhooks.isEmpty)
    }

    @Test func `a public URL in another script is spelled as browsers spell it`() throws {
        let settings = try read(["VESTIBULE_PUBLIC_URL": "https://München.example", "VESTIBULE_DEV_EXPOSE": "on"])
        #expect(settings.publicURL.text == "https://xn--mnchen-3ya.example")
    }

    @Test func `one pair of quotes around a value is taken off, and a quoted name in one stays`() throws {
        let read = try read([:], file: "VESTIBULE_BRAND_NAME='Fir'\nVESTIBULE_MAIL_FROM=\"Fir, Inc.\" <a@b.example>\n")
        #expect(read.brandName == "Fir" && read.mailFrom.address == "a@b.example")
    }

    @Test func `a line of the file may be exported as in a shell`() throws {
        #expect(try read([:], file: "  export VESTIBULE_PORT=1\n").port == 1)
    }

    @Test func `a provider whose name is one of ours is told so`() {
        #expect {
            try read(["VESTIBULE_OIDC_CONTINUE_ISSUER": "https://a.example"])
        } throws: {
            "\($0)".contains("CONTINUE is a name of ours")
        }
    }

    @Test(arguments: ["CLIENT_ID", "CLIENT_SECRET"], ["x ", "\tx", "x\n", "x\u{A0}"])
    func `what a provider compares has no white space at an end`(setting: String, value: String) {
        var provider = ["ISSUER": "https://a.example", "CLIENT_ID": "a b", "CLIENT_SECRET": "a b"]
        provider[setting] = value
        let environment = Dictionary(uniqueKeysWithValues: provider.map { ("VESTIBULE_OIDC_A_\($0)", $1) })
        let refused = #expect(throws: SettingFaults.self) { try read(environment) }
        #expect(refused?.all.map(\.description) == ["VESTIBULE_OIDC_A_\(setting) begins or ends with white space"])
    }

    @Test(arguments: ["VESTIBULE_BRAND_NAME", "VESTIBULE_OIDC_A_LABEL"], [" ", "\u{A0}", "\u{2800}"])
    func `what people read is not blank`(setting: String, value: String) {
        let provider = [
            "VESTIBULE_OIDC_A_ISSUER": "https://a.example", "VESTIBULE_OIDC_A_CLIENT_ID": "a",
            "VESTIBULE_OIDC_A_CLIENT_SECRET": "b",
        ]
        let refused = #expect(throws: SettingFaults.self) { try read(provider.merging([setting: value]) { $1 }) }
        #expect(refused?.all.map(\.description) == ["\(setting) cannot be shown"])
    }

    @Test func `a sender with another alphabet is told how its domain is written`() {
        let refused = #expect(throws: SettingFaults.self) { try read(["VESTIBULE_MAIL_FROM": "a@bücher.example"]) }
        #expect(refused?.all.first?.hint.contains("xn--bcher-kva.example") == true)
    }

    @Test func `a byte order mark in front of the file takes nothing away`() throws {
        #expect(try read([:], file: "\u{FEFF}VESTIBULE_PORT=1\n").port == 1)
    }

    @Test(arguments: [
        ("VESTIBULE_SIGNUP closed\n", ".env"), ("=1\n", ".env"), ("vestibule_port=1\n", "vestibule_port"),
        ("VESTIBULE_PORT=1\n# again\nVESTIBULE_PORT=2\n", "VESTIBULE_PORT"),
        ("set VESTIBULE_PORT=1\n", ".env"), ("export\tVESTIBULE_PORT=1\n", ".env"), ("VESTIBULE-PORT=1\n", ".env"),
        ("VESTIBULE_BRAND_NAME=\"Fir & Birch\n", "VESTIBULE_BRAND_NAME"), ("VESTIBULE_PORT='1\n", "VESTIBULE_PORT"),
    ])
    func `a line of the file that says nothing, or says it again, stops the start`(file: String, name: String) {
        #expect {
            try read([:], file: file)
        } throws: {
            ($0 as? SettingFaults)?.all.map(\.name) == [name]
        }
    }

    @Test(arguments: [
        ("VESTIBULE_PORT", "http"), ("VESTIBULE_PORT", "70000"), ("VESTIBULE_MODE", "prod"),
        ("VESTIBULE_PUBLIC_URL", "login.example.com"), ("VESTIBULE_PUBLIC_URL", "https://a.example:99999"),
        ("VESTIBULE_SECRET_KEY_PREVIOUS", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        ("VESTIBULE_PUBLIC_URL", "https://a.example/path"),
        ("VESTIBULE_DATABASE_URL", "mysql://x"), ("VESTIBULE_DATABASE_URL", "sqlite:file:door.sqlite"),
        ("VESTIBULE_DATABASE_URL", "sqlite::memory:"),
        ("VESTIBULE_MAIL_URL", "http://x"), ("VESTIBULE_MAIL_FROM", "nobody"),
        ("VESTIBULE_SECRET_KEY", "short"), ("VESTIBULE_TRUSTED_PROXIES", "10.0.0.0/40"),
        ("VESTIBULE_AFTER_LOGIN_URL", "javascript:alert(1)"), ("VESTIBULE_RETURN_TO_ORIGINS", "app.example"),
        ("VESTIBULE_SIGNUP", "maybe"), ("VESTIBULE_PASSWORD_MIN_LENGTH", "5"), ("VESTIBULE_LIMIT_LOGIN", "10/m"),
        ("VESTIBULE_LIMIT_LOGIN", ","), ("VESTIBULE_LIMIT_LOGIN", "10/m/flow"), ("VESTIBULE_AFTER_LOGIN_URL", "/"),
        ("VESTIBULE_AFTER_LOGIN_URL", "/login?x"),
        ("VESTIBULE_AFTER_LOGIN_URL", "/signup/#a"), ("VESTIBULE_AFTER_LOGIN_URL", "http://localhost:8080"),
        ("VESTIBULE_AFTER_LOGIN_URL", "http://LOCALHOST:8080/login?x"),
        ("VESTIBULE_AFTER_LOGIN_URL", "https://a.example/\"><x"),
        ("VESTIBULE_SESSION_IDLE", "12"), ("VESTIBULE_ACTIVITY_LIFETIME", "23h"),
        ("VESTIBULE_LOG_LEVEL", "loud"), ("VESTIBULE_LOG_FORMAT", "xml"),
        ("VESTIBULE_ARGON2_MEMORY_KIB", "4"), ("VESTIBULE_HASHING_THREADS", "0"), ("VESTIBULE_BRAND_NAME", "{{7*7}}"),
        ("VESTIBULE_OWNER", "{{7*7}}"), ("VESTIBULE_SUPPORT_EMAIL", "help"), ("VESTIBULE_SUPPORT_URL", "help"),
        ("VESTIBULE_SUPPORT_URL", "http://example.com/help"), ("VESTIBULE_SUPPORT_URL", "javascript:alert(1)"),
        ("VESTIBULE_SUPPORT_URL", "https://user@example.com/"), ("VESTIBULE_SUPPORT_URL", "https://a.example/{{x}}"),
    ])
    func `a wrong value names its setting`(name: String, value: String) {
        #expect {
            try read([name: value])
        } throws: { error in
            let faults = (error as? SettingFaults)?.all ?? []
            return faults.first?.name == name && faults.allSatisfy { $0.name == name && !$0.hint.isEmpty }
        }
    }

    @Test func `events that would be kept for minutes are refused, as six months may have been meant`() throws {
        let error = #expect(throws: SettingFaults.self) { try read(["VESTIBULE_ACTIVITY_LIFETIME": "6m"]) }
        #expect(error?.all.first?.hint == "At least 1d, such as 180d for six months: m stands for minutes.")
        #expect(try read(["VESTIBULE_ACTIVITY_LIFETIME": "24h"]).activityLifetime == .seconds(86_400))
    }

    @Test(arguments: ["a{", "}a", "a[[b", "\u{301}a", "a\u{600}", "\u{D4E}", "a\u{202E}b", "a\u{7F}b", "a\u{E0041}"])
    func `words that would change the templates they stand in are refused`(words: String) {
        for name in ["VESTIBULE_BRAND_NAME", "VESTIBULE_BRAND_TAGLINE", "VESTIBULE_TERMS_VERSION"] {
            #expect(throws: SettingFaults.self) { try read([name: words]) }
        }
        let provider = [
            "VESTIBULE_OIDC_EXAMPLE_ISSUER": "https://id.example.com", "VESTIBULE_OIDC_EXAMPLE_CLIENT_ID": "web",
            "VESTIBULE_OIDC_EXAMPLE_CLIENT_SECRET": "hush",
        ]
        #expect(throws: SettingFaults.self) {
            try read(provider.merging(["VESTIBULE_OIDC_EXAMPLE_LABEL": words]) { $1 })
        }
    }

    @Test func `providers come by name, and those of the order first`() throws {
        let names = ["ZULU", "ALFA", "MIKE"]
        let environment = names.reduce(into: [String: String]()) { environment, name in
            environment["VESTIBULE_OIDC_\(name)_ISSUER"] = "https://\(name.lowercased()).example"
            environment["VESTIBULE_OIDC_\(name)_CLIENT_ID"] = "web"
            environment["VESTIBULE_OIDC_\(name)_CLIENT_SECRET"] = "hush"
        }
        let order = "VESTIBULE_PROVIDER_ORDER"
        #expect(try read(environment).providers.map(\.name) == ["alfa", "mike", "zulu"])
        let ordered = try read(environment.merging([order: "Mike, zulu"]) { $1 })
        #expect(ordered.providers.map(\.name) == ["mike", "zulu", "alfa"])
        #expect(throws: SettingFaults.self) { try read(environment.merging([order: "mke"]) { $1 }) }
    }

    @Test(
        arguments: [
            (["URL": "https://example.com/help?x=1"], "https://example.com/help?x=1"),
            (["URL": "http://localhost:3000/help"], "http://localhost:3000/help"),
            (["EMAIL": "help+door@example.com"], "mailto:help%2Bdoor@example.com"),
            (["URL": "https://example.com/", "EMAIL": "help@example.com"], "https://example.com/"), ([:], nil),
        ] as [([String: String], String?)])
    func `people ask on a page, or by mail`(given: [String: String], link: String?) throws {
        let environment = Dictionary(uniqueKeysWithValues: given.map { ("VESTIBULE_SUPPORT_\($0.key)", $0.value) })
        #expect(try read(environment).support.link == link)
    }

    @Test func `an unknown name is refused, with the nearest as hint`() {
        for (environment, file) in [(["VESTIBULE_PROT": "1"], nil), ([:], "VESTIBULE_PROT=1\n")] {
            #expect {
                try read(environment, file: file)
            } throws: { error in
                let faults = (error as? SettingFaults)?.all ?? []
                return faults.map(\.name) == ["VESTIBULE_PROT"] && faults[0].hint.contains("VESTIBULE_PORT")
            }
        }
    }

    @Test func `production insists on https, key, mail and sender`() throws {
        var environment = ["VESTIBULE_MODE": "production"]
        func faults() -> [String] {
            do {
                _ = try read(environment)
                return []
            } catch {
                return error.all.map(\.description)
            }
        }
        let missing = ["PUBLIC_URL", "MAIL_URL", "MAIL_FROM", "SECRET_KEY"].map {
            "VESTIBULE_\($0) is not set, which production mode requires"
        }
        #expect(faults() == missing)
        environment["VESTIBULE_PUBLIC_URL"] = "http://login.example.com"
        environment["VESTIBULE_MAIL_URL"] = "outbox:data/mail"
        #expect(
            faults() == [
                "VESTIBULE_PUBLIC_URL is not https, which production mode requires",
                "VESTIBULE_MAIL_URL is a folder, and production mode requires a real mail transport", missing[2],
                missing[3],
            ])
        environment["VESTIBULE_PUBLIC_URL"] = "https://login.example.com"
        environment["VESTIBULE_SECRET_KEY"] = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
        environment["VESTIBULE_MAIL_URL"] = "smtps://user:pass@mail.example.com"
        environment["VESTIBULE_MAIL_FROM"] = "no-reply@example.com"
        let settings = try read(environment)
        #expect(settings.mode == .production && settings.logFormat == .json)
    }

    @Test(arguments: [
        (
            ["VESTIBULE_SECRET_KEY": "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="],
            "Take it out, or write the key that was in "
        ),
        ([:], "Take it out, or set VESTIBULE_SECRET_KEY, too."),
    ])
    func `a previous key that cannot be one has a hint what to do`(environment: [String: String], hint: String) {
        let error = #expect(throws: SettingFaults.self) {
            try read(environment.merging(["VESTIBULE_SECRET_KEY_PREVIOUS": "short"]) { $1 })
        }
        #expect(error?.all.count == 1 && error?.all.first?.hint.hasPrefix(hint) == true)
    }

    @Test(arguments: [nil, "outbox:data/mail", "mail.example.com"])
    func `production hints at mail servers alone`(mailURL: String?) {
        var environment = ["VESTIBULE_MODE": "production"]
        environment["VESTIBULE_MAIL_URL"] = mailURL
        let error = #expect(throws: SettingFaults.self) { try read(environment) }
        let hint = error?.all.first { $0.name == "VESTIBULE_MAIL_URL" }?.hint ?? ""
        #expect(hint == "VESTIBULE_MAIL_URL: smtp://user:pass@host:587 (STARTTLS required) or smtps://host:465.")
    }

    @Test(arguments: [
        ("VESTIBULE_HOST", "0.0.0.0"), ("VESTIBULE_HOST", "::"), ("VESTIBULE_HOST", "192.0.2.7"),
        ("VESTIBULE_HOST", "example.com"), ("VESTIBULE_PUBLIC_URL", "https://login.example.com"),
    ])
    func `development mode is not for others unless that is meant`(name: String, value: String) throws {
        #expect {
            try read([name: value])
        } throws: { error in
            let faults = (error as? SettingFaults)?.all ?? []
            return faults.map(\.name) == [name] && faults[0].hint.contains("VESTIBULE_DEV_EXPOSE=on")
        }
        let exposed = try read([name: value, "VESTIBULE_DEV_EXPOSE": "on"])
        #expect(!exposed.answersLoopbackOnly)
    }

    @Test(arguments: ["localhost", "127.0.0.1", "127.9.9.9", "::1"])
    func `development mode listens on this machine`(host: String) throws {
        let settings = try read(["VESTIBULE_HOST": host])
        #expect(settings.answersLoopbackOnly)
    }

    @Test func `everything that is wrong is said at once`() {
        let environment = [
            "VESTIBULE_PORT": "http", "VESTIBULE_SINGUP": "closed", "VESTIBULE_PASSKEYS": "maybe",
            "VESTIBULE_OIDC_ACME_LABEL": "Acme", "VESTIBULE_APP_NOTES_GROUPS": "a b",
        ]
        let error = #expect(throws: SettingFaults.self) { try read(environment, file: "oops\n") }
        let faults = error?.all ?? []
        let acme = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"].map { "VESTIBULE_OIDC_ACME_\($0)" }
        let notes = ["ORIGINS", "GROUPS"].map { "VESTIBULE_APP_NOTES_\($0)" }
        #expect(
            faults.map(\.name) == [".env", "VESTIBULE_SINGUP", "VESTIBULE_PORT", "VESTIBULE_PASSKEYS"] + acme + notes)
    }

    @Test func `yes and no, and capitals, are understood`() throws {
        let settings = try read([
            "VESTIBULE_PASSKEYS": "No", "VESTIBULE_REMEMBER_DEFAULT": "false", "VESTIBULE_DEV_EXPOSE": "TRUE",
            "VESTIBULE_PASSWORD_CONFIRMATION": "yes", "VESTIBULE_SIGNUP": "Closed", "VESTIBULE_MODE": "Development",
        ])
        #expect(!settings.passkeys && !settings.rememberDefault && settings.devExpose && settings.passwordConfirmation)
        #expect(!settings.signupOpen && settings.mode == .development)
    }

    @Test func `secrets cannot be printed`() throws {
        let settings = try read([
            "VESTIBULE_SECRET_KEY": "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
            "VESTIBULE_MAIL_URL": "smtps://user:canary@mail.example.com",
            "VESTIBULE_OIDC_EXAMPLE_ISSUER": "https://id.example.com",
            "VESTIBULE_OIDC_EXAMPLE_CLIENT_ID": "web", "VESTIBULE_OIDC_EXAMPLE_CLIENT_SECRET": "canary",
        ])
        #expect(settings.providers.count == 1)
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!dumped.contains("canary") && !dumped.contains("BwcH") && !"\(settings)".contains("canary"))
    }
}
