import ArgumentParser
import Essentials
import Vestibule

/// `vestibule sessions end`
struct EndSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End one session of an account, or all of them.")

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    @Argument(help: "Id of the session, as `sessions list` shows it.")
    var session: String?

    @Flag(help: "Every session of the account.")
    var all = false

    func validate() throws {
        guard all != (session != nil) else { throw ValidationError("Name one session, or say --all.") }
    }

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let account = try await session.account(account).account
            let count = try await end(account, try session.administration())
            let output = Output()
            if options.json {
                try output.json(Ended(accountId: account.id, ended: count))
            } else {
                try output.line(
                    Printable.text("ended \(count) session\(count == 1 ? "" : "s") of \(account.email.typed)"))
            }
            try output.flush()
        }
    }

    private func end(_ account: Account, _ administration: Administration) async throws -> Int {
        guard let session else { return try await administration.endSessions(of: account) }
        guard try await administration.endSession(SessionID(rawValue: session), of: account) else {
            throw CommandFailure(
                .failed, "\(account.email.typed) has no session \(session)",
                hint: "`vestibule sessions list` lists them.")
        }
        return 1
    }
}

private struct Ended: Encodable {
    let accountId: AccountID
    let ended: Int
}
