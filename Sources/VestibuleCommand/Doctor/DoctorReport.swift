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

    /// Something to know that is no failure.
    func warn(_ what: String, _ remark: String) {
        print("warn \(what): \(remark)")
    }

    /// The one of the settings was looked at with them.
    mutating func checkKey(_ settings: Settings) {
        guard settings.secretKey == nil else { return }
        guard FileManager.default.fileExists(atPath: Wiring.keyFile) else {
            return note("secret key (no file yet: serve makes it)", nil)
        }
        do {
            _ = try Wiring.secretKey(settings)
            note("secret key", nil)
        } catch let failure as CommandFailure {
            note("secret key", failure.error)
        } catch {
            note("secret key", "\(error)")
        }
    }

    /// What `serve` would stop at.
    mutating func checkResources(_ settings: Settings) {
        do {
            try Wiring.resources().check(settings)
            note("templates and public files", nil)
        } catch let failure as CommandFailure {
            note("templates and public files", failure.error)
        } catch {
            note("templates and public files", "\(error)")
        }
    }

    /// Looks without making or changing anything but the heartbeat.
    mutating func checkStore(_ settings: Settings) async {
        do {
            try DatabaseMark(settings).checkFile()
            if let file = settings.databaseURL.file, !FileManager.default.fileExists(atPath: file) {
                return note("store (no file yet: serve or migrate makes it)", nil)
            }
            let store = try Wiring.store(settings)
            let age = try store.schemaAge()
            var (unreadable, wrongCodes) = (0, 0)
            if age == .current {
                try await store.checkWritable(now: Date())
                try await store.checkReadable(now: Date())
                wrongCodes = try await store.wrongCodes(now: Date())
                unreadable = try await Self.unreadableMails(store, settings)
                try await checkSecondFactors(settings, store)
                try await checkSealedFactors(settings, store)
                try await checkNodes(settings, store)
            }
            try store.close()
            switch age {
            case .current:
                note("store", nil)
                note("codes (\(wrongCodes) wrong ones in a day\(Self.consequence(wrongCodes)))", nil)
                guard unreadable > 0 else { return }
                note("waiting mails", "the secret key opens \(unreadable) of them not: is it another than before?")
            case .older(let pending): note("store (\(pending) migrations to run)", nil)
            case .newer: note("store", "it was written by a newer version of Vestibule")
            }
        } catch let failure as CommandFailure {
            note("store", failure.error)
        } catch {
            note("store", "\(error)")
        }
    }

    private static func consequence(_ wrongCodes: Int) -> String {
        ShortCodeLimit.account.admits(site: wrongCodes, inARow: 0)
            ? "" : ": browsers that are not known get longer ones"
    }

    /// Of the newest mails that wait or have failed: what only another key opens.
    private static func unreadableMails(_ store: any AdministrationStore, _ settings: Settings) async throws -> Int {
        guard let key = try? Wiring.existingSecretKey(settings) else { return 0 }
        return try await MailQueue(store: store, key: key).list(after: nil, limit: 100).count { $0.kind == nil }
    }

    mutating func checkMail(_ settings: Settings) async {
        do {
            try await Wiring.mailTransport(settings).check()
            note("mail transport", nil)
        } catch {
            note("mail transport", error.reason)
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
        note("clock", year >= 2026 && year < 2100 ? nil : "says the year is \(year)")
    }

    mutating func checkModes(_ settings: Settings) {
        let files = [Wiring.keyFile, ".env"] + (settings.databaseURL.file.map { [$0] } ?? [])
        let open = files.filter(Self.isOpen)
        note("file modes", open.isEmpty ? nil : "others can read \(open.joined(separator: ", ")): chmod 600")
    }

    /// Root is not the server, but in its folder.
    private static var groupOfServer: gid_t? {
        guard geteuid() == 0 else { return getegid() }
        let folder = try? FileManager.default.attributesOfItem(atPath: ".")
        return (folder?[.groupOwnerAccountID] as? NSNumber)?.uint32Value
    }

    /// Whether others may use it. Settings that root keeps for the group of the server are not open
    /// to others.
    private static func isOpen(_ file: String) -> Bool {
        let place = URL(filePath: file).resolvingSymlinksInPath().path
        guard let found = try? FileManager.default.attributesOfItem(atPath: place) else { return false }
        let mode = (found[.posixPermissions] as? NSNumber)?.intValue ?? 0
        let group = (found[.groupOwnerAccountID] as? NSNumber)?.uint32Value
        let isOfRoot = (found[.ownerAccountID] as? NSNumber)?.intValue == 0
        let isForServer = file == ".env" && isOfRoot && group == groupOfServer
        return mode & (isForServer ? 0o037 : 0o077) != 0
    }
}
