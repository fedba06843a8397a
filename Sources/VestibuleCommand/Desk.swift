import ArgumentParser
import Foundation
import Vestibule
import VestibuleSQLite

/// Flags every command of administration takes.
struct DeskOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions

    @Flag(help: "One JSON object a line instead of text.")
    var json = false
}

/// Where the operator works: the settings and the store that `serve` uses, whether it is serving or not.
struct Desk: Sendable {
    let settings: Settings
    let engine: SQLiteStore
    /// What rules and commands see of the engine.
    var store: any Store { engine }

    /// Opens the store, works, closes it. Makes and migrates nothing; with `anySchema` it takes every version's.
    static func open(
        _ options: CommonOptions, anySchema: Bool = false, _ work: (Desk) async throws -> Void
    ) async throws {
        let settings = try options.settings()
        let desk = Desk(settings: settings, engine: try Wiring.existingStore(settings))
        do {
            try await Wiring.closing(desk.engine) {
                if !anySchema { try desk.checkSchema() }
                try await work(desk)
            }
        } catch let fault as StoreUnavailable {
            throw CommandFailure(
                .failed, "the database cannot be used now: \(fault)",
                hint: "Try again; `vestibule doctor` looks closer."
            )
        }
    }

    /// The account of that address or id.
    func account(_ name: String) async throws -> AccountSummary {
        guard let parsed = AccountName(name), let summary = try await store.account(parsed) else {
            throw CommandFailure(.failed, "there is no account \(name)", hint: "`vestibule users list` lists them.")
        }
        return summary
    }

    func administration() throws -> Administration {
        Administration(needs: try needs())
    }

    /// What rules need beside the store. Needs the secret key.
    func needs() throws -> Needs {
        Needs(
            settings: settings, store: store, mailTransport: Wiring.mailTransport(settings),
            secretKey: try Wiring.existingSecretKey(settings), logger: Wiring.logger(settings)
        )
    }

    private func checkSchema() throws {
        switch try engine.schemaAge() {
        case .current: return
        case .older(let pending):
            throw CommandFailure(
                .failed, "the database is \(pending) migration\(pending == 1 ? "" : "s") behind this version",
                hint: "Run `vestibule migrate`, or start the server, which does it too."
            )
        case .newer:
            throw CommandFailure(
                .failed, "the database was written by a newer version", hint: "Use that version of vestibule."
            )
        }
    }
}
