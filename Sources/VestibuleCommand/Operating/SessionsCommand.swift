import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule sessions`
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "See and end the sessions of an account.",
        subcommands: [ListSessions.self, EndSessions.self]
    )
}

struct ListSessions: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List an account's sessions, most recently used first.")

    @OptionGroup var options: AccountOptions

    func run(_ account: Account, _ session: OperatorSession) async throws {
        try session.list(try await session.store.sessions(accountID: account.id, now: Date()))
    }
}

struct EndSessions: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End one session of an account, or all of them.")

    @OptionGroup var options: AccountOptions

    @Argument(help: "Id of the session, as `sessions list` shows it.")
    var session: String?

    @Flag(help: "Every session of the account.")
    var all = false

    func validate() throws {
        guard all != (session != nil) else { throw ValidationError("Name one session, or say --all.") }
    }

    func run(_ account: Account, _ session: OperatorSession) async throws {
        let count = try await end(account, try await session.administration())
        try session.print(
            ["account_id": account.id, "ended": count] as JSONObject,
            "ended \(count) session\(count == 1 ? "" : "s") of \(account.email.typed)")
    }

    private func end(_ account: Account, _ administration: Administration) async throws -> Int {
        guard let session else { return try await administration.endSessions(of: account) }
        guard try await administration.endSession(SessionID(rawValue: session), of: account) else {
            throw CommandFailure(
                "\(account.email.typed) has no session \(session)", hint: "`vestibule sessions list` lists them.")
        }
        return 1
    }
}

extension Session: Listed {
    static let columns: [Column<Self>] = [
        // Names the session; opens nothing.
        Column("ID", "id") { $0.id }, Column("STARTED (UTC)", "created_at") { $0.lifetime.createdAt },
        Column("LAST SEEN", "last_seen_at") { $0.lifetime.lastSeenAt },
        Column("EXPIRES", "expires_at") { $0.lifetime.expiresAt },
        Column(nil, "remembered") { $0.lifetime.remembered }, Column("FROM", "address") { $0.address.text },
        Column("BROWSER", "user_agent") { $0.userAgent },
    ]
}
