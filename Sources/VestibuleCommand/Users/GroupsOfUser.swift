import ArgumentParser
import Essentials
import Vestibule

struct GroupsOfUser: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups", abstract: "Show the groups of an account, and put it into some or take it out.",
        discussion: "Applications learn the groups of the person who comes in, and may admit members only."
    )

    @OptionGroup var options: AccountOptions

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

    func run(_ account: Account, _ session: OperatorSession) async throws {
        if !add.isEmpty || !remove.isEmpty { try await change(account, session) }
        for name in remove where !account.groups.contains(name) {
            Output.note("\(Printable.text(account.email.typed)) was not in the group \(name)")
        }
        let groups = try await session.account(account.id).account.groups
        // On stdout it would be the name of a group.
        if groups.isEmpty, !session.json { Output.note("\(Printable.text(account.email.typed)) is in no group") }
        try session.print(["account_id": account.id, "groups": groups] as JSONObject, lines: groups)
    }

    private func change(_ account: Account, _ session: OperatorSession) async throws {
        let change = GroupChange(
            accountID: account.id, adding: Set(add.compactMap(GroupName.init)),
            removing: Set(remove.compactMap(GroupName.init)))
        do {
            _ = try await GroupMembership(store: session.store).change(change)
        } catch is TooManyGroups {
            throw CommandFailure(
                "\(account.email.typed) would be in more than \(GroupChange.mostPerAccount) groups",
                hint: "Take it out of others with --remove.")
        } catch is Superseded {
            throw CommandFailure(
                "\(account.email.typed) was deleted meanwhile", hint: "`vestibule users list` lists accounts.")
        }
    }
}
