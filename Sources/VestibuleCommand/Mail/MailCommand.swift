import ArgumentParser
import Vestibule

/// `vestibule mail`
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "See mails that wait or have failed, and try them again.",
        subcommands: [ListMails.self, RetryMail.self]
    )
}
