import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule sessions list`
struct ListSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List an account's sessions, most recently used first.")

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let id = try await session.account(account).account.id
            var listing = Listing<SessionRow>(json: options.json)
            try listing.add(try await session.store.sessions(accountID: id, now: Date()).map(SessionRow.init))
        }
    }
}

/// A session in a listing.
private struct SessionRow: ListedRow {
    /// Names the session; opens nothing.
    let id: SessionID
    let createdAt, lastSeenAt, expiresAt: Date
    let remembered: Bool
    let address, userAgent: String

    init(_ session: Session) {
        id = session.id
        createdAt = session.createdAt
        lastSeenAt = session.lastSeenAt
        expiresAt = session.expiresAt
        remembered = session.remembered
        address = session.address.text
        userAgent = session.userAgent
    }

    static let columns = ["ID", "STARTED (UTC)", "LAST SEEN", "EXPIRES", "FROM", "BROWSER"]

    var cells: [String] { [id.rawValue, createdAt.utc, lastSeenAt.utc, expiresAt.utc, address, userAgent] }
}
