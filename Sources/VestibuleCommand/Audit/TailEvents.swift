import ArgumentParser
import Essentials
import Foundation
import UnixSignals
import Vestibule

/// `vestibule audit tail`
struct TailEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail", abstract: "Print the last security events, oldest first, and those that follow.",
        discussion: "With --follow it goes on until SIGINT or SIGTERM."
    )

    @OptionGroup var options: OperatorOptions

    @Option(parsing: .unconditional, help: "Only events of this account, by address or id.")
    var account: String?

    @Option(help: "How many to begin with, 0 to 10000.")
    var limit = 20

    @Flag(name: .shortAndLong, help: "Go on with what happens next.")
    var follow = false

    func validate() throws {
        guard (0...10_000).contains(limit) else { throw ValidationError("--limit is 0 to 10000.") }
    }

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let accountID = try await accountID(session)
            guard follow else { return try await tail(session, accountID) }
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            try await withThrowingTaskGroup { group in
                group.addTask { try await tail(session, accountID) }
                group.addTask { for await _ in signals { return } }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    private func accountID(_ session: OperatorSession) async throws -> AccountID? {
        guard let account else { return nil }
        return try await session.account(account).account.id
    }

    private func tail(_ session: OperatorSession, _ accountID: AccountID?) async throws {
        var listing = Listing<EventRow>(json: options.json)
        var tail = EventTail(store: session.store, accountID: accountID, now: Date())
        try listing.add(try await tail.last(limit).map(EventRow.init))
        while follow {
            // Another process writes the events and can tell nobody. The wait fails when a signal
            // has cancelled it.
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            let fresh = try await tail.next(now: Date()).map(EventRow.init)
            if !fresh.isEmpty { try listing.add(fresh) }
        }
    }
}
