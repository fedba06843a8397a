import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule users show`
struct ShowUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account, how many sessions it has, and its last events.")

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    private static let events = 20

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let summary = try await session.account(account)
            let id = summary.account.id
            let details = AccountDetails(
                row: AccountRow(summary),
                sessions: try await session.store.sessions(accountID: id, now: Date()).count,
                factors: FactorRow(try await session.store.factors(accountID: id)),
                events: try await session.store.latestEvents(accountID: id, limit: Self.events).map(EventRow.init)
            )
            let output = Output()
            if options.json { try output.json(details) } else { try details.lines.forEach(output.line) }
            try output.flush()
        }
    }
}

/// Everything `users show` knows.
private struct AccountDetails: Encodable {
    let row: AccountRow
    let sessions: Int
    let factors: FactorRow
    /// Newest first.
    let events: [EventRow]

    private enum Keys: CodingKey { case sessions, factors, events }

    func encode(to encoder: any Encoder) throws {
        try row.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(sessions, forKey: .sessions)
        try container.encode(factors, forKey: .factors)
        try container.encode(events, forKey: .events)
    }

    var lines: [String] {
        let facts = [
            ("address", row.email), ("name", row.displayName), ("id", row.id.rawValue), ("state", row.state),
            ("created", row.createdAt.utc), ("verified", row.verifiedAt?.utc ?? "no"),
            ("disabled", row.disabledAt?.utc ?? "no"), ("password", row.passwordScheme.map { "yes (\($0))" } ?? "no"),
            ("groups", row.groups.isEmpty ? "none" : row.groups.joined(separator: ", ")),
            ("terms", row.termsVersion ?? "not accepted"), ("language", row.locale), ("sessions", "\(sessions)"),
            ("factors", factors.text),
            ("events", events.isEmpty ? "none" : "the last, newest first"),
        ]
        let told = facts.map { $0.padding(toLength: 10, withPad: " ", startingAt: 0) + Printable.text($1) }
        return told + events.map { "  \($0.at.utc)  \($0.what)  \(Printable.text($0.origin))" }
    }
}
