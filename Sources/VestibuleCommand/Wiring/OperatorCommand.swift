import ArgumentParser
import Essentials
import Vestibule

/// Flags every command of administration takes.
struct OperatorOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions

    @Flag(help: "One JSON object a line instead of text.")
    var json = false
}

/// A command that works with the store that `serve` uses, whether it is serving or not.
protocol OperatorCommand: AsyncParsableCommand {
    var options: OperatorOptions { get }

    func run(_ session: OperatorSession) async throws
}

extension OperatorCommand {
    func run() async throws {
        try await OperatorSession.open(options.common, json: options.json) { try await run($0) }
    }
}

/// Flags of a command about one account, and the account.
struct AccountOptions: ParsableArguments {
    @OptionGroup var shared: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String
}

/// A command about one account.
protocol AccountCommand: AsyncParsableCommand {
    var options: AccountOptions { get }

    func run(_ account: Account, _ session: OperatorSession) async throws
}

extension AccountCommand {
    func run() async throws {
        try await OperatorSession.open(options.shared.common, json: options.shared.json) { session in
            try await run(session.account(options.account).account, session)
        }
    }
}

extension OperatorSession {
    /// Says what a command has done: an object, or a sentence.
    func print(_ object: some Encodable, _ sentence: String) throws {
        try print(object, lines: [Printable.text(sentence)])
    }

    /// The same with lines that can be shown as they are.
    func print(_ object: some Encodable, lines: [String]) throws {
        let output = Output()
        if json { try output.json(object) } else { try lines.forEach(output.line) }
        try output.flush()
    }

    /// A sentence, or the account as it is now.
    func report(_ sentence: String, _ account: Account) async throws {
        try print(json ? try await self.account(account.id).json : [:], sentence)
    }

    func list<Item: Listed>(_ items: some Sequence<Item>) throws {
        var listing = Listing<Item>(json: json)
        try listing.add(items)
    }
}
