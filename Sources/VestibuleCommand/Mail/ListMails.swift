import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule mail list`
struct ListMails: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List mails that wait or have failed, newest first.",
        discussion: "Sent mails are not kept. Recipients are masked, and what a mail says is not shown."
    )

    @OptionGroup var options: OperatorOptions

    @Option(help: "Begin after this position, as the page before says it.")
    var after: String?

    @Option(help: "How many mails, 1 to 1000.")
    var limit = 100

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit is 1 to 1000.") }
        guard after.map({ OutboxPosition($0) != nil }) ?? true else {
            throw ValidationError("--after takes the position that the page before has printed.")
        }
    }

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let found = try await session.mailQueue().list(after: after.flatMap(OutboxPosition.init), limit: limit + 1)
            var listing = Listing<MailRow>(json: options.json)
            try listing.add(found.prefix(limit).map(MailRow.init))
            guard found.count > limit else { return }
            Output.note("next page: --after \(found[limit - 1].entry.position.text)")
        }
    }
}

/// A mail in a listing.
private struct MailRow: ListedRow {
    let id, state: String
    /// Absent when the mail cannot be opened with the keys in force.
    let kind, recipient: String?
    let createdAt: Date
    let attempts: Int
    let nextTryAt: Date?
    let reason: String?

    init(_ opened: MailQueue.Entry) {
        let entry = opened.entry
        id = entry.mail.id
        kind = opened.kind?.name
        recipient = opened.maskedRecipient
        createdAt = entry.mail.createdAt
        attempts = entry.mail.attempts
        reason = entry.reason
        switch entry.state {
        case .waiting(let next): (state, nextTryAt) = ("waiting", next)
        case .sending: (state, nextTryAt) = ("sending", nil)
        case .failed: (state, nextTryAt) = ("failed", nil)
        }
    }

    static let columns = ["ID", "WRITTEN (UTC)", "STATE", "TRIES", "NEXT TRY", "KIND", "TO", "REASON"]

    var cells: [String] {
        [
            id, createdAt.utc, state, "\(attempts)", nextTryAt?.utc ?? "-", kind ?? "unreadable", recipient ?? "-",
            reason ?? "-",
        ]
    }
}
