import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule mail`
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "See mails that wait or have failed, and try them again.",
        subcommands: [ListMails.self, RetryMail.self]
    )
}

struct ListMails: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List mails that wait or have failed, newest first.",
        discussion: "Sent mails are not kept. Recipients are masked, and what a mail says is not shown."
    )

    @OptionGroup var options: OperatorOptions

    @Option(parsing: .unconditional, help: "Only mails to this address.")
    var to: String?

    @Option(help: "Begin after this position, as the page before says it.")
    var after: String?

    @Option(help: "How many mails, 1 to 1000.", transform: WholeNumber.in(1...1000))
    var limit = 100

    func validate() throws {
        guard to.map({ EmailAddress($0) != nil }) ?? true else {
            throw ValidationError("--to takes an email address.")
        }
        guard after.map({ OutboxPosition($0) != nil }) ?? true else {
            throw ValidationError("--after takes the position that the page before has printed.")
        }
    }

    func run(_ session: OperatorSession) async throws {
        let queue = try await session.mailQueue()
        let found = try await queue.list(
            to: to.flatMap(EmailAddress.init), after: after.flatMap(OutboxPosition.init), limit: limit + 1)
        try session.list(found.prefix(limit))
        if let to { Self.note(to: Printable.text(to), isNone: found.isEmpty, unreadable: try await queue.unreadable()) }
        guard found.count > limit else { return }
        Output.note("next page: --after \(found[limit - 1].entry.position.text)")
    }

    /// Whom a mail is for is known only of those that can be opened.
    private static func note(to address: String, isNone: Bool, unreadable count: Int) {
        if isNone {
            Output.note(
                count == 0 ? "no mail to \(address) waits or has failed" : "no mail that can be opened is to \(address)"
            )
        }
        guard count > 0 else { return }
        Output.note(
            "\(count) of the newest 100 mails cannot be opened with the secret key, and may be to \(address): "
                + "see `vestibule doctor`")
    }
}

extension MailQueue.Entry: Listed {
    static let columns: [Column<Self>] = [
        Column("ID", "id") { $0.entry.mail.id }, Column("WRITTEN (UTC)", "created_at") { $0.entry.mail.createdAt },
        Column("STATE", "state") { $0.entry.state.name }, Column("TRIES", "attempts") { $0.entry.mail.attempts },
        Column("NEXT TRY", "next_try_at") { $0.entry.state.nextTryAt },
        // Absent when the mail cannot be opened with the keys in force.
        Column("KIND", "kind", none: "unreadable") { $0.kind?.name },
        Column("TO", "recipient") { $0.maskedRecipient }, Column("REASON", "reason") { $0.entry.reason },
    ]
}

extension OutboxEntry.State {
    var name: String {
        switch self {
        case .waiting: "waiting"
        case .sending: "sending"
        case .failed: "failed"
        }
    }

    var nextTryAt: Date? {
        if case .waiting(let next) = self { next } else { nil }
    }
}

struct RetryMail: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Make a mail due at once, every failed one, or all.",
        discussion: "The server sends what is due within two seconds. What a mail offers must not have expired."
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Id of the mail, as `mail list` shows it.")
    var mail: String?

    @Flag(help: "Every failed mail that is still of use.")
    var failed = false

    @Flag(help: "Every mail that is still of use: those that wait for their next try, too.")
    var all = false

    func validate() throws {
        guard [mail != nil, failed, all].count(where: \.self) == 1 else {
            throw ValidationError("Name one mail, or say --failed or --all.")
        }
    }

    func run(_ session: OperatorSession) async throws {
        let (due, useless) = try await retry(try await session.mailQueue())
        let rest = useless == 0 ? "" : "; \(useless) of no use any more"
        try session.print(
            ["due": due, "useless": useless], "\(due) mail\(due == 1 ? " is" : "s are") due now\(rest)")
        guard failed, due == 0 else { return }
        Output.note("mails that wait for their next try have not failed: --all makes them due, too")
    }

    private func retry(_ queue: MailQueue) async throws -> (due: Int, useless: Int) {
        guard let mail else { return try await queue.retryAll(onlyFailed: failed) }
        let hint = "`vestibule mail list` lists what waits or has failed."
        switch try await queue.retry(id: mail) {
        case .due: return (1, 0)
        case .sending: throw CommandFailure("mail \(mail) is being sent", hint: hint)
        case .stale: throw CommandFailure("what mail \(mail) offers has expired", hint: hint)
        case .unreadable:
            throw CommandFailure(
                "mail \(mail) cannot be opened",
                hint: "Put the key it was sealed with into VESTIBULE_SECRET_KEY_PREVIOUS.")
        case .unknown: throw CommandFailure("there is no mail \(mail)", hint: hint)
        }
    }
}
