import ArgumentParser
import Essentials
import Vestibule

/// `vestibule users`
struct Users: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See and change accounts. No command sets or reads a password.",
        subcommands: [
            ListUsers.self, ShowUser.self, CreateUser.self, SendReset.self, DisableUser.self, EnableUser.self,
            VerifyUser.self, GroupsOfUser.self, ResetFactors.self, DeleteUser.self, UsersImport.self,
        ]
    )
}

struct ListUsers: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List accounts in the order of their addresses.",
        discussion: """
            Pages are found by address, so each takes the same time, and accounts made in between neither repeat nor \
            hide others.
            """
    )

    @OptionGroup var options: OperatorOptions

    @Option(help: "Only members of this group.")
    var group: String?

    @Option(parsing: .unconditional, help: "Begin after this address.")
    var after: String?

    @Option(help: "How many accounts, 1 to 1000 (default: 100).", transform: WholeNumber.in(1...page))
    var limit: Int?

    @Flag(help: "All accounts, however many.")
    var all = false

    private static let page = 1000

    func validate() throws {
        guard !all || limit == nil else { throw ValidationError("--all and --limit exclude each other.") }
        try group.map(GroupsOfUser.check)
        guard after.map({ EmailAddress($0) != nil }) ?? true else {
            throw ValidationError("--after takes an email address.")
        }
    }

    func run(_ session: OperatorSession) async throws {
        let limit = all ? Self.page : limit ?? 100
        var listing = Listing<AccountSummary>(json: options.json)
        var key = after.flatMap { EmailAddress($0)?.key }
        repeat {
            let found = try await session.store.accounts(
                in: group.flatMap(GroupName.init), after: key, limit: limit + 1)
            try listing.add(found.prefix(limit))
            guard found.count > limit else { return }
            key = found[limit - 1].account.email.key
        } while all
        Output.note("next page: --after \(Printable.text(key ?? ""))")
    }
}

extension AccountSummary: Listed {
    static let columns: [Column<Self>] = [
        Column("ID", "id") { $0.account.id }, Column("CREATED (UTC)", "created_at") { $0.account.createdAt },
        Column("STATE") { $0.state },
        // Absent without a password.
        Column("PASSWORD", "password_scheme") { $0.passwordScheme },
        Column("ADDRESS", "email") { $0.account.email.typed },
        Column("NAME", "display_name") { $0.account.displayName },
        Column(nil, "locale") { $0.account.locale }, Column(nil, "verified_at") { $0.account.verifiedAt },
        Column(nil, "disabled_at") { $0.account.disabledAt },
        Column(nil, "terms_version") { $0.account.termsVersion },
        Column(nil, "groups") { $0.account.groups },
    ]

    var state: String {
        if account.disabledAt != nil { return "disabled" }
        return account.verifiedAt == nil ? "unverified" : "active"
    }
}
