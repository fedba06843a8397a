import ArgumentParser
import Essentials
import Vestibule

/// `vestibule users groups`
struct GroupsOfUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups", abstract: "Show the groups of an account, and put it into some or take it out.",
        discussion: "Applications learn the groups of the person who comes in, and may admit members only."
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    @Option(help: "A group to put it into: 1 to 64 letters, digits, dashes, underscores and dots.")
    var add: [String] = []

    @Option(help: "A group to take it out of.")
    var remove: [String] = []

    func validate() throws {
        for name in add + remove where GroupName(name) == nil {
            throw ValidationError(
                "\"\(name)\" is no group: 1 to 64 letters, digits, dashes, underscores and dots.")
        }
        if let name = add.first(where: remove.contains) {
            throw ValidationError("--add and --remove both name \(name).")
        }
    }

    func run() async throws {
        let (adding, removing) = (Set(add.compactMap(GroupName.init)), Set(remove.compactMap(GroupName.init)))
        try await OperatorSession.open(options.common) { session in
            var account = try await session.account(account).account
            if !adding.isEmpty || !removing.isEmpty {
                try await change(
                    GroupChange(accountID: account.id, adding: adding, removing: removing), account, session)
                account = try await session.account(account.id).account
            }
            let output = Output()
            if options.json {
                try output.json(Groups(accountId: account.id.rawValue, groups: account.groups))
            } else {
                try account.groups.forEach(output.line)
            }
            try output.flush()
        }
    }

    private func change(_ change: GroupChange, _ account: Account, _ session: OperatorSession) async throws {
        do {
            _ = try await session.groupMembership().change(change)
        } catch is TooManyGroups {
            throw CommandFailure(
                .failed, "\(account.email.typed) would be in more than \(GroupChange.mostPerAccount) groups",
                hint: "Take it out of others with --remove.")
        } catch is Superseded {
            throw CommandFailure(
                .failed, "\(account.email.typed) was deleted meanwhile", hint: "`vestibule users list` lists accounts.")
        }
    }

    private struct Groups: Encodable {
        let accountId: String
        let groups: [String]
    }
}
