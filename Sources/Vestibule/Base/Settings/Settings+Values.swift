import Essentials
import Mailing
import PasswordHashing
import Serving

extension Settings {
    static func publicURL(_ read: SettingsReader, port: Int) throws(SettingFault) -> PublicURL {
        let text = read.text(.publicURL) ?? "http://localhost:\(port)"
        guard let url = PublicURL(text) else {
            throw SettingFault(
                .publicURL, "is \"\(text)\"",
                hint: "Such as https://login.example.com or https://example.com/auth; a path of letters, digits, "
                    + "-, ., _ and ~, no query.")
        }
        let first = String(url.path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }) ?? ""
        guard !Mount.programs.contains(first) else {
            throw SettingFault(
                .publicURL, "is \"\(text)\", and programs ask for /\(first)", hint: "Another path, such as /auth.")
        }
        return url
    }

    static func databaseURL(_ read: SettingsReader) throws(SettingFault) -> DatabaseURL {
        let text = try read.required(.databaseURL)
        guard let url = DatabaseURL(text) else {
            throw SettingFault(
                .databaseURL, "is not a database this build can open", hint: "sqlite:FILE or postgres://…")
        }
        return url
    }

    static func mailURL(_ read: SettingsReader) throws(SettingFault) -> MailURL {
        do {
            return try MailURL(read.required(.mailURL))
        } catch let fault as MailURLFault {
            throw SettingFault(.mailURL, fault.reason)
        } catch {
            throw SettingFault(.mailURL, "is not set")
        }
    }

    static func secretKey(_ read: SettingsReader) throws(SettingFault) -> SecretKey? {
        guard let text = read.text(.secretKey) else {
            guard read.text(.secretKeyPrevious) == nil else {
                throw SettingFault(.secretKeyPrevious, "is set, but VESTIBULE_SECRET_KEY is not")
            }
            return nil
        }
        guard let current = SecretKey.symmetricKey(base64: text) else {
            throw SettingFault(.secretKey, "is not 32 bytes of base64", hint: "Make one with: openssl rand -base64 32")
        }
        guard let before = read.text(.secretKeyPrevious) else { return SecretKey(current: current) }
        guard let previous = SecretKey.symmetricKey(base64: before) else {
            throw SettingFault(.secretKeyPrevious, "is not 32 bytes of base64")
        }
        return SecretKey(current: current, previous: previous)
    }

    static func words(_ read: SettingsReader, _ setting: Setting) throws(SettingFault) -> String? {
        try words(read, setting.rawValue) ?? setting.standard
    }

    static func words(_ read: SettingsReader, _ name: String) throws(SettingFault) -> String? {
        guard let text = read.text(name) else { return nil }
        // It becomes a part of templates: a brace could begin a tag there, and a mark would change
        // the character before it.
        let isPlain =
            text.unicodeScalars.allSatisfy { $0 != "{" && $0 != "}" } && text.unicodeScalars.first?.isMark == false
        guard text.unicodeScalars.count <= 200, text.isShowable, isPlain,
            !text.holds("[[")
        else {
            throw SettingFault(
                name, "cannot be shown",
                hint: "At most 200 characters, no control or format characters, no {, } or [[, and no mark in front.")
        }
        return text
    }

    /// A path is one of the whole origin, the default one of this site.
    static func afterLoginURL(_ read: SettingsReader, _ publicURL: PublicURL) throws(SettingFault) -> String {
        guard let text = read.text(Setting.afterLoginURL.rawValue) else {
            return publicURL.local(try read.required(.afterLoginURL))
        }
        let page = publicURL.page(at: text).map { String($0.parts(by: "?")[0]) }
        let leadsBack = ["/", "/login", "/signup"].contains(page)
        guard !leadsBack, LocalPath(text) != nil || Origin(ofURL: text) != nil else {
            throw SettingFault(.afterLoginURL, "is \"\(text)\"", hint: "A path such as /account, or an http(s) URL.")
        }
        return text
    }

    static func argon2(_ read: SettingsReader) throws(SettingFault) -> Argon2Parameters {
        let parallelism = try read.integer(.argon2Parallelism, in: 1...64)
        return Argon2Parameters(
            memoryKiB: try read.integer(.argon2MemoryKiB, in: 8 * parallelism...1_048_576),
            iterations: try read.integer(.argon2Iterations, in: 1...64),
            parallelism: parallelism
        )
    }

    /// What production mode insists on (contract section 3).
    func checkProduction() throws(SettingFault) {
        guard mode == .production else { return }
        guard publicURL.isSecure else {
            throw SettingFault(
                .publicURL, "is not https, which production mode requires", hint: "Such as https://login.example.com.")
        }
        guard secretKey != nil else {
            throw SettingFault(
                .secretKey, "is not set, which production mode requires", hint: "Make one with: openssl rand -base64 32"
            )
        }
        if case .outbox = mailURL {
            throw SettingFault(.mailURL, "is a folder, and production mode requires a real mail transport")
        }
    }
}

extension SessionLifetimes {
    init(_ read: SettingsReader) throws(SettingFault) {
        self.init(
            idle: try read.duration(.sessionIdle), absolute: try read.duration(.sessionLifetime),
            rememberedIdle: try read.duration(.rememberIdle), rememberedAbsolute: try read.duration(.rememberLifetime))
    }
}
