import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule users list`
struct ListUsers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List accounts in the order of their addresses.",
        discussion: """
            Pages are found by address, so each takes the same time, and accounts made in between neither repeat nor \
            hide others.
            """
    )

    @OptionGroup var options: OperatorOptions

    @Option(parsing: .unconditional, help: "Begin after this address.")
    var after: String?

    @Option(help: "How many accounts, 1 to 1000 (default: 100).")
    var limit: Int?

    @Flag(help: "All accounts, however many.")
    var all = false

    private static let page = 1000

    func validate() throws {
        guard limit.map((1...Self.page).contains) ?? true else { throw ValidationError("--limit is 1 to 1000.") }
        guard !all || limit == nil else { throw ValidationError("--all and --limit exclude each other.") }
        guard after.map({ EmailAddress($0) != nil }) ?? true else {
            throw ValidationError("--after takes an email address.")
        }
    }

    func run() async throws {
        let start = after.flatMap { EmailAddress($0)?.key }
        try await OperatorSession.open(options.common) { session in
            all ? try await printAll(session, start) : try await printPage(session, start)
        }
    }

    private func printPage(_ session: OperatorSession, _ start: String?) async throws {
        let limit = limit ?? 100
        let found = try await session.store.accounts(after: start, limit: limit + 1)
        var listing = Listing<AccountRow>(json: options.json)
        try listing.add(found.prefix(limit).map(AccountRow.init))
        guard found.count > limit else { return }
        Output.note("next page: --after \(Printable.text(found[limit - 1].account.email.key))")
    }

    private func printAll(_ session: OperatorSession, _ start: String?) async throws {
        var listing = Listing<AccountRow>(json: options.json)
        var key = start
        while true {
            let page = try await session.store.accounts(after: key, limit: Self.page)
            try listing.add(page.map(AccountRow.init))
            guard let last = page.last, page.count == Self.page else { return }
            key = last.account.email.key
        }
    }
}
