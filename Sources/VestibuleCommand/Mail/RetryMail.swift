import ArgumentParser
import Vestibule

/// `vestibule mail retry`
struct RetryMail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Make a mail due at once, or every failed one.",
        discussion: "The server sends what is due within two seconds. What a mail offers must not have expired."
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Id of the mail, as `mail list` shows it.")
    var mail: String?

    @Flag(help: "Every failed mail that is still of use.")
    var failed = false

    func validate() throws {
        guard failed != (mail != nil) else { throw ValidationError("Name one mail, or say --failed.") }
    }

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let queue = try session.mailQueue()
            let (due, useless) = try await retry(queue)
            let output = Output()
            if options.json {
                try output.json(Retried(due: due, useless: useless))
            } else {
                let rest = useless == 0 ? "" : "; \(useless) of no use any more"
                try output.line("\(due) mail\(due == 1 ? " is" : "s are") due now\(rest)")
            }
            try output.flush()
        }
    }

    private func retry(_ queue: MailQueue) async throws -> (due: Int, useless: Int) {
        guard let mail else { return try await queue.retryFailed() }
        let hint = "`vestibule mail list` lists what waits or has failed."
        switch try await queue.retry(id: mail) {
        case .due: return (1, 0)
        case .sending: throw CommandFailure(.failed, "mail \(mail) is being sent", hint: hint)
        case .stale: throw CommandFailure(.failed, "what mail \(mail) offers has expired", hint: hint)
        case .unreadable:
            throw CommandFailure(
                .failed, "mail \(mail) cannot be opened",
                hint: "Put the key it was sealed with into VESTIBULE_SECRET_KEY_PREVIOUS.")
        case .unknown: throw CommandFailure(.failed, "there is no mail \(mail)", hint: hint)
        }
    }
}

private struct Retried: Encodable {
    let due, useless: Int
}
