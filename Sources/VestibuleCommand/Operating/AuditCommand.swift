import ArgumentParser
import Essentials
import Foundation
import UnixSignals
import Vestibule

/// `vestibule audit`
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "See what happened around accounts.", subcommands: [TailEvents.self]
    )
}

struct TailEvents: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail", abstract: "Print the last security events, oldest first, and those that follow.",
        discussion: """
            With --follow it goes on until SIGINT or SIGTERM. docs/operating/monitoring.md says what each event is.
            """
    )

    @OptionGroup var options: OperatorOptions

    @Option(parsing: .unconditional, help: "Only events of this account, by address or id.")
    var account: String?

    @Option(help: "Only events of this kind, such as login_failed.")
    var kind: String?

    private static let most = 10_000

    @Option(help: "How many to begin with, 0 to 10000.", transform: WholeNumber.in(0...most))
    var limit = 20

    @Flag(name: .shortAndLong, help: "Go on with what happens next.")
    var follow = false

    func validate() throws {
        try kind.map(Self.check)
    }

    /// Throws for a kind that no event is of.
    private static func check(kind: String) throws {
        let kinds = SecurityEvent.Kind.kept
        guard !kinds.contains(where: kind.isExactly) else { return }
        let nearest = Suggestion.nearest(to: kind, among: kinds).map { "did you mean \($0)?" }
        throw ValidationError(
            "there is no kind of event \"\(kind)\": \(nearest ?? "one of \(kinds.joined(separator: ", "))")")
    }

    func run(_ session: OperatorSession) async throws {
        let accountID: AccountID? = if let account { try await session.account(account).account.id } else { nil }
        guard follow else { return try await tail(session, accountID) }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        try await withThrowingTaskGroup { group in
            group.addTask { try await tail(session, accountID) }
            group.addTask { for await _ in signals { return } }
            try await group.next()
            group.cancelAll()
        }
    }

    private func tail(_ session: OperatorSession, _ accountID: AccountID?) async throws {
        var listing = Listing<AuditEntry>(json: options.json)
        var tail = EventTail(store: session.store, accountID: accountID, kind: kind, now: Date())
        let last = try await tail.last(limit)
        if let kind, last.isEmpty { Output.note("no such event of the kind \(Printable.text(kind)) is kept") }
        if last.count == Self.most {
            Output.note("only the last \(Self.most) are listed: --kind and --account narrow it")
        }
        try listing.add(last)
        var isAway = false
        while follow {
            // Another process writes the events and can tell nobody. The wait fails when a signal
            // has cancelled it.
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            try Output.checkReader()
            do {
                let fresh = try await tail.next(now: Date())
                isAway = false
                if !fresh.isEmpty { try listing.add(fresh) }
            } catch let fault as StoreUnavailable {
                if !isAway { Output.note("the database cannot be read; still trying: \(fault)") }
                isAway = true
            }
        }
    }
}

extension AuditEntry: Listed {
    static let columns: [Column<Self>] = [
        Column(nil, "id") { $0.event.id }, Column("TIME (UTC)", "at") { $0.event.at },
        Column(nil, "kind") { $0.event.kind.name }, Column("EVENT") { $0.what },
        // Absent when no account is behind what was tried.
        Column(nil, "account_id") { $0.event.accountID }, Column(nil, "email") { $0.email },
        Column("ACCOUNT") { $0.email ?? $0.event.accountID?.rawValue },
        Column(nil, "address") { $0.event.address.text }, Column(nil, "user_agent") { $0.event.userAgent },
        Column("FROM") { $0.origin },
        // Absent unless it is a sum.
        Column(nil, "count") { $0.event.count > 1 ? $0.event.count : nil },
    ]

    /// The kind, and how often it happened.
    var what: String { event.kind.name + (event.count > 1 ? " (\(event.count) times)" : "") }

    /// Network address and browser, or what stands for them.
    var origin: String { [event.address.text, event.userAgent].filter { !$0.isEmpty }.joined(separator: "  ") }
}
