import Essentials
import Foundation
import Vestibule

/// What a command of administration works with: the settings and the store that `serve` uses,
/// whether it is serving or not. Rules are made when a command asks for one.
struct OperatorSession: Sendable {
    let settings: Settings
    let store: any Store
    /// Whether it prints objects instead of text.
    let json: Bool

    /// Opens the store, works, closes it. Makes and migrates nothing; with `anySchema` it takes
    /// every version's.
    static func open(
        _ options: CommonOptions, json: Bool, anySchema: Bool = false,
        _ work: (OperatorSession) async throws -> Void
    ) async throws {
        let settings = try options.settings()
        let session = OperatorSession(settings: settings, store: try Wiring.existingStore(settings), json: json)
        do {
            try await Wiring.closing(session.store) {
                if !anySchema { try session.checkSchema() }
                try await work(session)
            }
        } catch let fault as StoreUnavailable {
            throw CommandFailure(
                "the database cannot be used now: \(fault)",
                hint: fault.hint ?? "Try again; `vestibule doctor` looks closer.")
        }
    }

    /// The account of that address or id. If an account has left that address, the failure names
    /// its id and nothing is done to it: the operator has to name that account.
    func account(_ name: String) async throws -> AccountSummary {
        guard let parsed = AccountName(name) else { throw Self.noAccount(name) }
        if let summary = try await store.account(parsed) { return summary }
        guard case .address(let email) = parsed, let former = try await store.formerHolder(of: email) else {
            throw Self.noAccount(name)
        }
        throw CommandFailure(
            "there is no account \(name) now",
            hint: "It was the address of account \(former.accountID) until \(former.until.utc) UTC: name that id.")
    }

    /// The account as it is now.
    func account(_ id: AccountID) async throws -> AccountSummary {
        guard let summary = try await store.account(.id(id)) else { throw Self.noAccount("\(id)") }
        return summary
    }

    private static func noAccount(_ name: String) -> CommandFailure {
        CommandFailure("there is no account \(name)", hint: "`vestibule users list` lists them.")
    }

    /// The configured providers.
    var providers: Providers { Providers(settings.providers, publicURL: settings.publicURL) }

    private func checkSchema() throws {
        switch try store.schemaAge() {
        case .current: return
        case .older(let pending):
            throw CommandFailure(
                "the database is \(pending) migration\(pending == 1 ? "" : "s") behind this version",
                hint: "Run `vestibule migrate`, or start the server, which does it too."
            )
        case .newer:
            throw CommandFailure("the database was written by a newer version", hint: "Use that version of vestibule.")
        }
    }
}

/// Rules that need the secret key.
extension OperatorSession {
    func administration() async throws -> Administration {
        let key = try await secretKey()
        let now = { @Sendable in Date() }
        let codes = Codes(
            key: key, random: .system, clock: SteadyClock(wall: now, passed: SteadyClock.sinceStart))
        return Administration(store: store, codes: codes, mailer: mailer(key))
    }

    func eraser() async throws -> AccountEraser {
        let key = try await secretKey()
        let revocation = ProviderRevocation(
            providers: providers, key: key, logger: Wiring.logger(settings), now: { Date() })
        return AccountEraser(store: store, revocation: revocation, key: key, mailer: mailer(key))
    }

    func factorRemoval() async throws -> FactorRemoval {
        FactorRemoval(store: store, mailer: mailer(try await secretKey()))
    }

    func mailQueue() async throws -> MailQueue {
        MailQueue(store: store, key: try await secretKey())
    }

    func keyRotation() async throws -> KeyRotation {
        KeyRotation(store: store, secretKey: try await secretKey())
    }

    /// Nil if there is none. Throws `CommandFailure` where a server could not open what it seals:
    /// mails would never go out.
    func knownSecretKey() async throws -> SecretKey? {
        guard let key = try Wiring.knownSecretKey(settings) else { return nil }
        guard let node = try await store.nodes().unable(toOpen: NodeKeys(key), at: Date()).first else { return key }
        throw CommandFailure(
            .badConfiguration, "the server \(node.name) does not know the secret key of these settings",
            hint: "Give this the server's VESTIBULE_SECRET_KEY; after a change of the key, restart the server first. "
                + "One that was killed counts for 90 seconds: `vestibule nodes`.")
    }

    /// Throws `CommandFailure` where there is none, or where there is none any more.
    private func secretKey() async throws -> SecretKey {
        if let key = try await knownSecretKey() { return key }
        throw try await Wiring.lostKey(of: store) ?? Wiring.noSecretKey
    }

    /// The server, if it runs, finds the mails at its next look.
    private func mailer(_ key: SecretKey) -> Mailer {
        Mailer(key: key, random: .system, signal: OutboxSignal(), now: { Date() })
    }
}
