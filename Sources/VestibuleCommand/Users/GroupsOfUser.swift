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
        try (add + remove).forEach(Self.check)
        if let name = add.first(where: remove.contains) {
            throw ValidationError("--add and --remove both name \(name).")
        }
    }

    /// Throws for a text that cannot be the name of a group.
    static func check(_ name: String) throws {
        guard GroupName(name) == nil else { return }
        throw ValidationError("\"\(name)\" is no group: 1 to 64 letters, digits, dashes, underscores and dots.")
    }

    func run(_ account: Account, _ session: OperatorSession) async throws {
        if !add.isEmpty || !remove.isEmpty { try await change(account, session) }
        for name in remove where !account.groups.contains(name) {
            Output.note("\(Printable.text(account.email.typed)) was not in the group \(name)")
        }
        for name in add where !account.groups.contains(name) { try await warn(of: name, account, session) }
        if !add.isEmpty, account.verifiedAt == nil {
            let email = Printable.text(account.email.typed)
            let groups = add.joined(separator: ", ")
            Output.note("nobody has proved the address \(email): whoever has its account is now in \(groups)")
        }
        let groups = try await session.account(account.id).account.groups
        // On stdout it would be the name of a group.
        if groups.isEmpty, !session.json { Output.note("\(Printable.text(account.email.typed)) is in no group") }
        try session.print(["account_id": account.id, "groups": groups] as JSONObject, lines: groups)
    }

    /// Says so when the group may be misspelled.
    private func warn(of name: String, _ account: Account, _ session: OperatorSession) async throws {
        guard !session.settings.applications.contains(where: { $0.groups.contains(name) }) else { return }
        let members = try await session.store.accounts(in: GroupName(name), after: nil, limit: 2)
        guard members.allSatisfy({ $0.account.id == account.id }) else { return }
        Output.note("no application names the group \(name), and no other account is in it: is it spelled right?")
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
