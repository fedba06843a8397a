import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule signals`
struct SignalsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signals",
        abstract: "See what webhooks and applications are still to be told, try webhooks, and show the key that signs.",
        subcommands: [ListSignals.self, RetrySignals.self, TestWebhook.self, ShowSignalKey.self]
    )
}

struct ListSignals: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List signals that wait or were given up, newest first.",
        discussion: "Delivered signals are not kept."
    )

    @OptionGroup var options: OperatorOptions

    @Option(help: "How many signals, 1 to 10000.", transform: WholeNumber.in(1...10_000))
    var limit = 100

    func run(_ session: OperatorSession) async throws {
        let found = try await session.store.signals(limit: limit + 1)
        try session.list(found.prefix(limit))
        if found.count > limit { Output.note("more of these: --limit shows up to 10000") }
    }
}

extension SignalEntry: Listed {
    static let columns: [Column<Self>] = [
        Column("ID", "id") { $0.signal.id }, Column("HAPPENED (UTC)", "created_at") { $0.signal.createdAt },
        Column("STATE", "state") { $0.state.name }, Column("TRIES", "attempts") { $0.signal.attempts },
        Column("NEXT TRY", "next_try_at", none: "-") { entry in
            // At once, where it was never tried.
            entry.state.nextTryAt.flatMap { $0.timeIntervalSince1970 > 0 ? $0 : nil }
        },
        Column("TARGET", "target") { $0.signal.target }, Column("TYPE", "type") { $0.signal.event },
        Column("ACCOUNT", "account") { $0.signal.accountID?.rawValue }, Column("REASON", "reason") { $0.reason },
    ]
}

struct RetrySignals: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Make a signal due at once, or every one that was given up.",
        discussion: """
            A server that has the target in its settings sends due signals within two seconds, or within a minute if \
            the target did not answer or was overloaded; those of one account oldest first. What was given up of an \
            account is removed once the target was told that the account is deleted.
            """
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Id of the signal, as `signals list` shows it.")
    var signal: String?

    @Flag(help: "Every signal that was given up.")
    var failed = false

    func validate() throws {
        guard failed != (signal != nil) else { throw ValidationError("Name one signal, or say --failed.") }
    }

    func run(_ session: OperatorSession) async throws {
        let due = try await session.store.retrySignals(ids: signal.map { [$0] }, now: Date())
        guard due > 0 || signal == nil else {
            throw CommandFailure(
                "no signal \(signal ?? "") waits", hint: "`vestibule signals list` lists what waits or was given up.")
        }
        try session.print(["due": due], "\(due) signal\(due == 1 ? " is" : "s are") due now")
    }
}

struct TestWebhook: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a webhook a signal of type test, and say what came of it.",
        discussion: "It is sent once, from this machine, and not kept."
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "Name of the webhook in the settings.")
    var name: String

    func run() async throws {
        let settings = try options.settings()
        guard let webhook = settings.webhooks.first(where: { $0.name.isExactly(name.asciiLowercased) }) else {
            let names = settings.webhooks.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                "there is no webhook \(name)",
                hint: names.isEmpty ? "The settings name none; see VESTIBULE_WEBHOOK_<NAME>_URL." : "One of: \(names).")
        }
        try Wiring.outboundLibrary(settings)
        if let reason = await WebhookTrial(webhook, key: try Wiring.existingSecretKey(settings)).send() {
            throw CommandFailure(
                "\(webhook.name) was not told: \(reason)",
                hint: "Check its URL, and that a server is running there. It must answer with a status from 200 to 299."
            )
        }
        try Output.print("\(webhook.name) was told")
    }
}

struct ShowSignalKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Show the public key that receivers check Ed25519 signatures (v1a) with.",
        discussion: """
            It comes from the secret key and changes with it. While VESTIBULE_SECRET_KEY_PREVIOUS is set, the second \
            line is the key from before, and both sign.
            """
    )

    @OptionGroup var options: CommonOptions

    func run() async throws {
        for key in WebhookSigner.publicKeys(of: try Wiring.existingSecretKey(options.settings())) {
            try Output.print(key)
        }
    }
}
