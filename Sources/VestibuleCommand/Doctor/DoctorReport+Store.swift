import Essentials
import Foundation
import Vestibule

/// What is looked for in the store.
extension DoctorReport {
    /// Looks without making or changing anything but the heartbeat.
    mutating func checkStore(_ settings: Settings) async {
        do {
            guard let store = try openStore(settings) else { return }
            try await store.checkConnections()
            let age = try store.schemaAge()
            var (unreadable, wrongCodes) = (0, 0)
            if age == .current {
                try await store.checkWritable(now: Date())
                try await store.checkReadable(now: Date())
                wrongCodes = try await store.wrongCodes(now: Date())
                unreadable = try await Self.unreadableMails(store, settings)
                try await checkSecondFactors(settings, store)
                try await checkSealedFactors(settings, store)
                try await checkSigningKeys(settings, store)
                try await checkNodes(settings, store)
                try await checkFailedMails(store)
                try await checkSignals(settings, store)
                try await checkSecrets(of: settings.applications, store)
            }
            guard age == .current else {
                return try await Wiring.closing(store) {
                    if case .older = age { await checkSealedBeforeMigration(settings, store) }
                    try await checkMigrations(store, settings)
                }
            }
            try store.close()
            note("store", nil)
            note("codes (\(wrongCodes) wrong ones in a day\(Self.consequence(wrongCodes)))", nil)
            guard unreadable > 0 else { return }
            note(
                "waiting mails",
                "\(unreadable) of them cannot be opened with the secret key: \(Self.wayBack(settings)) "
                    + "they are lost too, and deleted after a week")
        } catch {
            note("store", Self.words(error))
        }
    }

    /// What makes that readable which a former key has sealed. The one that development has made is
    /// not read where the settings have a key.
    private static func wayBack(_ settings: Settings) -> String {
        let isThere = settings.secretKey != nil && FileManager.default.fileExists(atPath: Wiring.keyFile)
        let former = isThere ? "former key (perhaps the one in \(Wiring.keyFile))" : "former key"
        return "put the \(former) into VESTIBULE_SECRET_KEY_PREVIOUS; if that key is lost,"
    }

    /// The database that is to be served. Notes, and returns nil, where there is no file yet.
    /// Throws what `serve` would refuse to start with.
    mutating func openStore(_ settings: Settings) throws -> (any Store)? {
        let mark = DatabaseMark(settings)
        try mark.checkFile()
        if let file = settings.databaseURL.file, !FileManager.default.fileExists(atPath: file) {
            let fault = Self.placeFault(file)
            note(fault == nil ? "store (no file yet: serve or migrate makes it)" : "store", fault)
            return nil
        }
        let store = try Wiring.store(settings.databaseURL)
        do {
            try mark.check(id: store.databaseID(), isBlank: store.isBlank())
        } catch {
            try? store.close()
            throw error
        }
        return store
    }

    /// Why no file and no folder can be made at that path.
    static func placeFault(_ file: String) -> String? {
        var folder = URL(filePath: file).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
        guard isFolder.boolValue else { return "\(file) cannot be made: \(folder.path) is not a folder" }
        guard access(folder.path, W_OK | X_OK) != 0 else { return nil }
        return "\(file) cannot be made: this user cannot write to \(folder.path)"
    }

    private static func consequence(_ wrongCodes: Int) -> String {
        ShortCodeLimit.account.admits(site: wrongCodes, inARow: 0)
            ? "" : ": browsers that are not known get longer ones"
    }

    /// Of the newest mails that wait or have failed: what only another key opens.
    private static func unreadableMails(_ store: any AdministrationStore, _ settings: Settings) async throws -> Int {
        guard let key = try? Wiring.existingSecretKey(settings) else { return 0 }
        return try await MailQueue(store: store, key: key).unreadable()
    }

    /// Mails that are not tried again, as their servers have refused them for good or too long.
    private func checkFailedMails(_ store: any AdministrationStore) async throws {
        let most = 100
        let failed = try await store.outboxEntries(to: nil, after: nil, onlyFailed: true, limit: most)
        guard let last = failed.first else { return }
        let count = failed.count < most ? "\(failed.count)" : "\(most) or more"
        let reason = Printable.text(last.reason ?? "no reason is known")
        warn(
            "failed mails",
            "\(count), the last written at \(last.mail.createdAt.utc) UTC: \(reason); see `vestibule mail list`")
    }

    /// Accounts that a password opens alone, although their owners have added a second factor.
    private func checkSecondFactors(_ settings: Settings, _ store: any FactorStore) async throws {
        let isOff = settings.secondFactor == .off
        guard isOff || !settings.offersPasskeys else { return }
        let count = try await store.accountsWithSecondFactor(onlyPasskeys: !isOff)
        guard count > 0 else { return }
        let has = "\(count) account\(count == 1 ? " has" : "s have") \(isOff ? "one" : "only passkeys")"
        let passkeys = settings.passkeys ? "VESTIBULE_PUBLIC_URL is an IP address" : "VESTIBULE_PASSKEYS is off"
        let cause = isOff ? "VESTIBULE_SECOND_FACTOR is off" : passkeys
        warn("second factors", "\(has), and none is asked for: \(cause)")
    }

    /// For a database with an older schema, which may lack tables.
    private mutating func checkSealedBeforeMigration(_ settings: Settings, _ store: any Store) async {
        do {
            guard try !store.isBlank() else { return }
            try await checkSealedFactors(settings, store)
            try await checkSigningKeys(settings, store)
        } catch {
            let reason = Self.words(error)
            warn(
                "secret key",
                "not everything sealed with it was checked (\(reason)): run doctor again after the migration"
            )
        }
    }

    /// Keys of apps and codes that another secret key has sealed.
    private mutating func checkSealedFactors(_ settings: Settings, _ store: any FactorSealingStore) async throws {
        guard let key = try? Wiring.existingSecretKey(settings) else { return }
        let sealing = FactorSealing(store: store, key: key)
        let lost = try await sealing.lost()
        noteSealed(
            "factors", of: Wiring.sealedFactors, waiting: try await sealing.left() - lost,
            lost: lost, remedy: "\(Self.wayBack(settings)) `vestibule users reset-factors` lets their owners in")
    }

    /// Keys that sign for applications and that another secret key has sealed.
    private mutating func checkSigningKeys(_ settings: Settings, _ store: any SigningKeyStore) async throws {
        guard let key = try? Wiring.existingSecretKey(settings) else { return }
        let keys = try await KeyRotation(store: store, secretKey: key).listAll().filter { $0.state != .over }
        noteSealed(
            "signing keys", of: Wiring.sealedSigningKeys,
            waiting: keys.count { $0.opens && !$0.key.sealed.starts(with: key.currentID) },
            lost: keys.count { !$0.opens },
            remedy: "\(Self.wayBack(settings)) `vestibule keys rotate --compromised` makes new ones")
    }

    /// Warns of what waits to be sealed with the current key, and notes what no key opens.
    private mutating func noteSealed(_ name: String, of what: String, waiting: Int, lost: Int, remedy: String) {
        if waiting > 0 {
            warn(
                "sealed \(name)",
                "\(waiting) of the \(what) \(waiting == 1 ? "is" : "are") sealed with the previous key: leave "
                    + "VESTIBULE_SECRET_KEY_PREVIOUS in until the servers, all with the new key, have sealed them anew")
        }
        guard lost > 0 else { return }
        note(
            "sealed \(name)",
            "\(lost) of the \(what) cannot be opened with the secret key: \(remedy)")
    }

    /// Targets that are not told, have not been for a quarter of an hour, or will not be any more.
    private func checkSignals(_ settings: Settings, _ store: any SignalQueueStore & NodeStore) async throws {
        let wanted = settings.signalSubscriptions
        // A server writes them when it starts.
        let isServed = try await store.nodes().contains { $0.isServing(at: Date()) }
        let missing = isServed ? wanted.subtracting(try await store.subscriptions()) : []
        for target in Set(missing.map(\.target)).sorted() {
            warn(
                "signals",
                "\(target) does not get all the events that these settings name: no server that runs has asked for "
                    + "all of them. Give all nodes the same settings, then restart them")
        }
        let targets = Set(wanted.map(\.target))
        for backlog in try await store.signalBacklogs() {
            guard targets.contains(backlog.target) else {
                warn(
                    "signals",
                    "\(backlog.target) is not in the settings; signals that wait: \(backlog.waiting), given up: "
                        + "\(backlog.givenUp). Those that wait are sent if it comes back; all are deleted seven days "
                        + "after their events")
                continue
            }
            let late = backlog.oldest.map { Date().timeIntervalSince($0) > 15 * 60 } ?? false
            let parts = [
                late ? "\(backlog.waiting) signals wait, the oldest since \(backlog.oldest?.utc ?? "") UTC" : nil,
                backlog.givenUp > 0 ? "\(backlog.givenUp) were given up" : nil,
            ].compactMap { $0 }
            guard !parts.isEmpty else { continue }
            warn("signals", "\(backlog.target): \(parts.joined(separator: "; ")); see `vestibule signals list`")
        }
    }

    /// In seconds; limits and leases that nodes share are shorter than minutes.
    private static let skewAtMost: TimeInterval = 1

    /// Keys of the nodes that serve, and this machine's clock beside the database server's.
    private func checkNodes(_ settings: Settings, _ store: any NodeStore & HealthStore) async throws {
        if let key = try? Wiring.existingSecretKey(settings) {
            let (nodes, keys, now) = (try await store.nodes(), NodeKeys(key), Date())
            let others = nodes.unknown(to: keys, at: now)
            for node in others {
                warn("nodes", "\(node.name) works with a secret key that these settings do not know")
            }
            for node in nodes.unable(toOpen: keys, at: now) where !others.contains(node) {
                warn("nodes", "\(node.name) does not know the secret key of these settings: restart it")
            }
        }
        let before = Date()
        guard let server = try await store.serverTime() else { return }
        // In the middle of the question.
        let here = before.addingTimeInterval(Date().timeIntervalSince(before) / 2)
        let skew = server.timeIntervalSince(here)
        guard abs(skew) > Self.skewAtMost else { return }
        let seconds = (abs(skew) * 10).rounded() / 10
        warn("clock", "the database server's is \(seconds) s \(skew > 0 ? "ahead" : "behind"): let NTP set both")
    }
}
