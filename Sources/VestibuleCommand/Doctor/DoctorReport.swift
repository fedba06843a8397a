import Essentials
import Foundation
import Mailing
import Vestibule

/// One line a check: `ok`, `warn` or `FAIL`, what was checked, and what is wrong.
struct DoctorReport {
    private(set) var failures = 0

    mutating func note(_ what: String, _ problem: String?) {
        if problem != nil { failures += 1 }
        print("\(problem == nil ? "ok  " : "FAIL") \(what)\(problem.map { ": \($0)" } ?? "")")
    }

    /// What is wrong, or one line if nothing is.
    mutating func note(_ what: String, _ problems: [String], good: String? = nil) {
        if problems.isEmpty { note(good ?? what, nil) }
        for problem in problems { note(what, problem) }
    }

    /// Something to know that is no failure.
    func warn(_ what: String, _ remark: String) {
        print("warn \(what): \(remark)")
    }

    /// Names the mode and the folder that the settings were read in: in another they are others.
    mutating func noteSettings(_ settings: Settings) {
        let folder = FileManager.default.currentDirectoryPath
        let file = CommonOptions.hasEnvironmentFile ? ".env" : "no .env"
        note("settings (\(settings.mode.rawValue), \(folder), \(file))", nil)
    }

    /// Says so where neither settings nor a database show that a server starts here. It is a
    /// failure where an answer about another folder would be taken for one about the server's.
    mutating func checkPlace(_ settings: Settings, isFailure: Bool = false) {
        guard !CommonOptions.hasEnvironmentFile, let file = settings.databaseURL.file,
            !FileManager.default.fileExists(atPath: file)
        else { return }
        let remark = "neither .env nor a database is in this folder: run it in the folder that the server starts in"
        if isFailure { note("settings", remark) } else { warn("settings", remark) }
    }

    /// Whether the host of the settings is an address of this machine. The port is not looked at:
    /// the server may be using it.
    mutating func checkAddress(_ settings: Settings) {
        let address = ListeningAddress(host: settings.host, port: settings.port)
        note("address", Self.problem { try address.check(onlyHost: true) })
    }

    /// Checks the key in `data`. Of keys in the settings only that the two differ: their form was
    /// checked when they were read.
    mutating func checkKey(_ settings: Settings) async {
        if let key = settings.secretKey {
            guard key.previousID == key.currentID else { return }
            return warn(
                "secret key", "VESTIBULE_SECRET_KEY_PREVIOUS has the same key: write the former one, or take it out")
        }
        guard !FileManager.default.fileExists(atPath: Wiring.keyFile) else {
            return note("secret key", Self.problem { _ = try Wiring.knownSecretKey(settings) })
        }
        do {
            let lost = try await Self.lostKey(settings)
            note("secret key\(lost == nil ? " (no file yet: serve makes it)" : "")", lost?.words)
        } catch {
            warn("secret key", "not checked whether the database needs an earlier key: \(Self.words(error))")
        }
    }

    private static func lostKey(_ settings: Settings) async throws -> CommandFailure? {
        if let file = settings.databaseURL.file, !FileManager.default.fileExists(atPath: file) { return nil }
        let store = try Wiring.existingStore(settings)
        return try await Wiring.closing(store) { try await Wiring.lostKey(of: store) }
    }

    /// What `serve` would stop at.
    mutating func checkResources(_ settings: Settings) {
        note("templates and public files", Self.problem { try Wiring.resources().check(settings) })
    }

    private static func problem(_ work: () throws -> Void) -> String? {
        do {
            try work()
            return nil
        } catch {
            return words(error)
        }
    }

    static func words(_ error: any Error) -> String {
        if let fault = error as? StoreUnavailable, let hint = fault.hint { return "\(fault). \(hint)" }
        return (error as? CommandFailure)?.words ?? "\(error)"
    }

    /// Makes no folder: the first mail does.
    mutating func checkMail(_ settings: Settings) async {
        if case .outbox(let folder) = settings.mailURL, !FileManager.default.fileExists(atPath: folder) {
            let fault = Self.placeFault(folder)
            return note(fault == nil ? "mail transport (no folder yet)" : "mail transport", fault)
        }
        do {
            try await Wiring.mailTransport(settings).check()
            note("mail transport", nil)
        } catch {
            note("mail transport", [error.reason, error.hint].compactMap { $0 }.joined(separator: ": "))
        }
    }

    /// Whether each provider is at its issuer, and has keys.
    mutating func checkProviders(_ settings: Settings) async {
        let providers = Providers(settings.providers, publicURL: settings.publicURL)
        for (name, issuer, problem) in await providers.check(at: Date()) {
            note("provider \(name) (\(issuer))", problem.map(Printable.text))
        }
    }

    /// The default is for development: other servers refuse a sender without a domain.
    mutating func checkSender(_ settings: Settings) {
        guard settings.mode == .production else { return }
        let sender = settings.mailFrom.address
        note("sender", sender.ends(with: "@localhost") ? "VESTIBULE_MAIL_FROM is \(sender): say who sends" : nil)
    }

    /// Codes and sessions expire by this clock.
    mutating func checkClock() {
        let year = Calendar(identifier: .gregorian).component(.year, from: Date())
        note("clock", year >= 2026 && year < 2100 ? nil : "says the year is \(year): set it, such as with timedatectl")
    }

    mutating func checkModes(_ settings: Settings) {
        let files =
            [Wiring.keyFile, ".env"] + (settings.databaseURL.file.map { [$0] } ?? [])
            + settings.secretFiles
        let open = files.filter(Self.isOpen)
        note("file modes", open.isEmpty ? nil : "others can read \(open.joined(separator: ", ")): chmod 600")
    }

    /// The group that the server runs as; root, who does not run it, looks at the folder's group.
    private static var groupOfServer: gid_t? {
        geteuid() == 0 ? ServerUser.facts(".")?.group : getegid()
    }

    /// Whether others may use it. Settings that root keeps for the group of the server are not open
    /// to others.
    private static func isOpen(_ file: String) -> Bool {
        let place = URL(filePath: file).resolvingSymlinksInPath().path
        guard let found = ServerUser.facts(place) else { return false }
        let isForServer = file == ".env" && found.owner == 0 && found.group == groupOfServer
        return found.mode & (isForServer ? 0o037 : 0o077) != 0
    }
}
