import ArgumentParser
import Essentials
import Vestibule

struct SendReset: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-reset",
        abstract: "Mail an account's owner a way to choose a new password, or an unused invitation again.",
        discussion: "Nothing changes before it is used; the link works for seven days."
    )

    @OptionGroup var options: AccountOptions

    func run(_ account: Account, _ session: OperatorSession) async throws {
        guard try await session.administration().sendReset(to: account) else {
            throw CommandFailure(
                "\(account.email.typed) is disabled",
                hint: "Enable it first: vestibule users enable \(account.email.typed)")
        }
        try await session.report("a mail to choose a password goes out to \(account.email.typed)", account)
    }
}

struct DisableUser: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "End an account's sessions and let nobody sign in to it."
    )

    @OptionGroup var options: AccountOptions

    func run(_ account: Account, _ session: OperatorSession) async throws {
        let (isDone, email) = (try await session.administration().disable(account), account.email.typed)
        try await session.report(isDone ? "disabled \(email)" : "\(email) was disabled already", account)
    }
}

struct EnableUser: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Let the owner of a disabled account sign in again."
    )

    @OptionGroup var options: AccountOptions

    func run(_ account: Account, _ session: OperatorSession) async throws {
        let (isDone, email) = (try await session.administration().enable(account), account.email.typed)
        try await session.report(isDone ? "enabled \(email)" : "\(email) was not disabled", account)
    }
}

struct VerifyUser: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Take an account's mailbox as proved.",
        discussion: """
            Its password works from then on, as do an authenticator app and recovery codes that were imported with it. \
            Providers and factors that were added later are removed: anybody may have added them.
            """
    )

    @OptionGroup var options: AccountOptions

    func run(_ account: Account, _ session: OperatorSession) async throws {
        let (isDone, email) = (try await session.administration().verify(account), account.email.typed)
        try await session.report(isDone ? "verified \(email)" : "\(email) was verified already", account)
    }
}

struct ResetFactors: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-factors",
        abstract: "Take passkeys, authenticator app and recovery codes from an account whose owner has lost them.",
        discussion: """
            The owner is mailed, and all are removed after 24 hours, unless somebody uses or changes a factor before. \
            docs/operating/administration.md says what to ask a caller first.
            """
    )

    @OptionGroup var options: AccountOptions

    @Flag(help: "Do not wait. Only for somebody who stands before you.")
    var now = false

    func run(_ account: Account, _ session: OperatorSession) async throws {
        let (removal, email) = (try await session.factorRemoval(), account.email.typed)
        if now, try await removal.remove(from: account) {
            try await session.report("\(email) has no second factor any more", account)
        } else if !now, let due = try await removal.ask(for: account) {
            try await session.report(
                "\(email) is being mailed; once that mail is sent, its second factors go at \(due.utc) UTC", account)
        } else {
            throw CommandFailure(
                "\(email) has no second factor",
                hint: "`vestibule users show` tells what an account has. A passkey that a browser made by itself is "
                    + "none; --now removes it, too.")
        }
    }
}
