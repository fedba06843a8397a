import Serving
import Vestibule

/// Whether what the operator has made fits this version.
extension DoctorReport {
    /// Whether pages that are made with the operator's own templates have what this version needs.
    mutating func checkOverriddenTemplates(_ settings: Settings) {
        guard let own = try? Wiring.overriddenTemplates() else { return }
        guard !own.names.isEmpty else { return note("templates of your own (none)", nil) }
        // Without them a page does less, but all that it shows works.
        var optional: Set = ["remember", "return_to", "to", "trust"]
        if !settings.passwordConfirmation { optional.insert("password_confirmation") }
        let gaps = own.gaps(optional: optional)
        for gap in gaps where !gap.isFault { warn("templates", gap.words) }
        note(
            "templates", gaps.filter(\.isFault).map(\.words),
            good: "templates of your own (\(own.names.joined(separator: ", ")))")
    }

    /// Whether the database can be brought up to date, and how long that takes. Changes nothing.
    mutating func checkSchema(_ settings: Settings) async {
        do {
            guard let store = try openStore(settings) else { return }
            try await Wiring.closing(store) { try await checkMigrations(store, settings) }
        } catch {
            note("store", Self.words(error))
        }
    }

    /// What is to run before this version can serve.
    mutating func checkMigrations(_ store: any StoreLifecycle, _ settings: Settings) async throws {
        switch try store.schemaAge() {
        case .current: note("store (no migration to run)", nil)
        case .newer: note("store", "it was written by a newer version of Vestibule")
        case .older(let pending):
            try store.checkMayMigrate()
            guard try !store.isBlank() else { return note("store (empty; \(pending) migrations to run)", nil) }
            try UpgradeCopy(settings)?.checkRoom()
            // A copy that is left behind would be one of everything.
            let forecast = try await endingOnSignal("the migrations were not tried", hint: "Nothing was changed.") {
                try await store.migrationForecast()
            }
            note("store (\(Self.words(forecast)))", nil)
            guard settings.databaseURL.file == nil else { return }
            warn("store", "PostgreSQL is not copied before a migration: pg_dump first (docs/operating/cluster.md)")
        }
    }

    private static func words(_ forecast: MigrationForecast) -> String {
        let count = forecast.names.count
        let names = "\(count) migration\(count == 1 ? "" : "s") to run: \(forecast.names.joined(separator: ", "))"
        let tenths = Int((forecast.seconds * 10).rounded(.up))
        let time = "\(tenths / 10).\(tenths % 10) s"
        return forecast.isMeasured
            ? "\(names); tried on a copy of \(forecast.rows) rows: \(time), copying included"
            : "\(names); at most about \(time), by \(forecast.rows) rows in the tables that they name"
    }
}
