import Essentials
import Mailing
import PasswordHashing
import Serving

extension Settings {
    /// Production insists on one that is set, with https.
    static func publicURL(_ read: SettingsReader, _ mode: Mode?, port: Int, isExposed: Bool) -> PublicURL? {
        let example = "The URL people see, such as https://login.example.com."
        guard let text = read.text(.publicURL) ?? (mode == .production ? nil : "http://localhost:\(port)") else {
            read.note(.publicURL, "is not set, which production mode requires", hint: example)
            return nil
        }
        guard let url = PublicURL(text) else {
            read.note(
                .publicURL, "is \"\(text)\"",
                hint: "Such as https://login.example.com or https://example.com/auth; a path of letters, digits, "
                    + "-, ., _ and ~, no query.")
            return nil
        }
        if url.origin.hasFinalDot { read.note(.publicURL, "is \"\(text)\"", hint: Origin.finalDotHint) }
        let first = String(url.path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }) ?? ""
        if Mount.programs.contains(first) {
            read.note(
                .publicURL, "is \"\(text)\", and programs ask for /\(first)", hint: "Another path, such as /auth.")
        }
        switch mode {
        case .production where !url.isSecure:
            read.note(.publicURL, "is not https, which production mode requires", hint: example)
        case .development: checkDevelopment(read, url, isExposed: isExposed)
        default: break
        }
        return url
    }

    static func databaseURL(_ read: SettingsReader) -> DatabaseURL? {
        let url = read.text(.databaseURL).flatMap(DatabaseURL.init)
        if url == nil {
            read.note(.databaseURL, "is not a database this build can open", hint: "sqlite:FILE or postgres://…")
        }
        return url
    }

    /// Production insists on a mail server.
    static func mailURL(_ read: SettingsReader, _ mode: Mode?) -> MailURL? {
        let hint = mode == .production ? "\(Setting.mailURL.rawValue): \(Setting.mailServers)." : nil
        if mode == .production, !read.isSet(.mailURL) {
            read.note(.mailURL, "is not set, which production mode requires", hint: hint)
            return nil
        }
        do {
            let url = try MailURL(read.text(.mailURL) ?? "")
            if mode == .production, case .outbox = url {
                read.note(.mailURL, "is a folder, and production mode requires a real mail transport", hint: hint)
            }
            return url
        } catch {
            read.note(.mailURL, error.reason, hint: hint)
            return nil
        }
    }

    /// Production insists on one.
    static func secretKey(_ read: SettingsReader, _ mode: Mode?) -> SecretKey? {
        let command = "Make one with: openssl rand -base64 32"
        guard let text = read.text(.secretKey) else {
            if read.isSet(.secretKeyPrevious) {
                read.note(
                    .secretKeyPrevious, "is set, but VESTIBULE_SECRET_KEY is not",
                    hint: "Take it out, or set VESTIBULE_SECRET_KEY, too.")
            }
            if mode == .production {
                // What waits in the database, and its second factors, a new key would not open.
                let former = read.keyFile.map { file in
                    "Take the one in \(file), which development made here: "
                        + "(umask 077; echo \"VESTIBULE_SECRET_KEY=$(cat \(file))\" >> .env)"
                }
                read.note(.secretKey, "is not set, which production mode requires", hint: former ?? command)
            }
            return nil
        }
        let previous = read.text(.secretKeyPrevious).map(SecretKey.symmetricKey(base64:))
        if case .some(nil) = previous {
            read.note(
                .secretKeyPrevious, "is not 32 bytes of base64",
                hint: "Take it out, or write the key that was in VESTIBULE_SECRET_KEY before.")
        }
        guard let current = SecretKey.symmetricKey(base64: text) else {
            read.note(.secretKey, "is not 32 bytes of base64", hint: command)
            return nil
        }
        return SecretKey(current: current, previous: previous.flatMap { $0 })
    }

    static func words(_ read: SettingsReader, _ setting: Setting) -> String? {
        words(read, setting.rawValue) ?? setting.standard
    }

    static func words(_ read: SettingsReader, _ name: String) -> String? {
        guard let text = read.text(name) else { return nil }
        // It becomes a part of templates: a brace could begin a tag there, and a mark would change
        // the character before it.
        let isPlain =
            text.unicodeScalars.allSatisfy { $0 != "{" && $0 != "}" } && text.unicodeScalars.first?.isMark == false
        guard text.unicodeScalars.count <= 200, text.unicodeScalars.contains(where: DisplayName.isVisible),
            text.isShowable, isPlain, !text.holds("[[")
        else {
            read.note(
                name, "cannot be shown",
                hint: "At most 200 characters, one of them visible, no control or format characters, no {, } or [[, "
                    + "and no mark in front.")
            return nil
        }
        return text
    }

    /// A path is one of the whole origin, the default one of this site.
    static func afterLoginURL(_ read: SettingsReader, _ publicURL: PublicURL?) -> String {
        guard let text = read.text(Setting.afterLoginURL.rawValue) else {
            let standard = Setting.afterLoginURL.standard ?? "/"
            return publicURL?.local(standard) ?? standard
        }
        let isLoop = publicURL.map { leadsBack(text, to: $0) } ?? false
        if isLoop || LocalPath(text) == nil && Origin(ofURL: text) == nil {
            read.note(.afterLoginURL, "is \"\(text)\"", hint: "A path such as /account, or an http(s) URL.")
        }
        return text
    }

    /// Whether it is a page of ours that redirects who is signed in to this very URL.
    private static func leadsBack(_ text: String, to site: PublicURL) -> Bool {
        let bare = String(text.parts(by: "#")[0].parts(by: "?")[0])
        let url = PublicURL(bare)
        guard url == nil || url?.origin == site.origin else { return false }
        let path = url?.path ?? String(bare.before("/") ?? bare[...])
        let page = site.page(at: path.isEmpty ? "/" : path)
        return ["/", "/login", "/signup"].contains { page?.isExactly($0) ?? false }
    }

    static func argon2(_ read: SettingsReader) -> Argon2Parameters {
        let parallelism = read.integer(.argon2Parallelism, in: 1...64)
        return Argon2Parameters(
            memoryKiB: read.integer(.argon2MemoryKiB, in: 8 * parallelism...1_048_576),
            iterations: read.integer(.argon2Iterations, in: 1...64), parallelism: parallelism
        )
    }
}

extension SessionLifetimes {
    init(_ read: SettingsReader) {
        self.init(
            idle: read.duration(.sessionIdle), absolute: read.duration(.sessionLifetime),
            rememberedIdle: read.duration(.rememberIdle), rememberedAbsolute: read.duration(.rememberLifetime))
    }
}
