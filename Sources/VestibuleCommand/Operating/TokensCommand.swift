import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule tokens`
struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens", abstract: "See, make and revoke the tokens of scripts and services.",
        subcommands: [CreateToken.self, ListTokens.self, RevokeToken.self]
    )
}

struct CreateToken: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a token that lets a script or a service into one application.",
        discussion: "It is printed once and cannot be shown again. The machine sends it as `Vestibule-Token`."
    )

    @OptionGroup var options: OperatorOptions

    @Option(help: "Name of the application in the settings.")
    var app: String

    @Option(help: "What the token is called in listings, 1 to 100 characters.")
    var label: String

    @Option(help: "How long it is good, such as 12h or 90d, at most 3650d (default: until it is revoked).")
    var expires: String?

    private static let longest = Duration.seconds(3650 * 86_400)

    func validate() throws {
        guard MachineTokens.Label(label) != nil else {
            throw ValidationError("--label takes 1 to 100 characters that can be shown.")
        }
        guard let expires else { return }
        guard let lifetime = Period(expires)?.duration, (.seconds(1)...Self.longest).contains(lifetime) else {
            throw ValidationError("--expires takes a time such as 12h or 90d, at most 3650d.")
        }
    }

    func run(_ session: OperatorSession) async throws {
        guard let label = MachineTokens.Label(label) else { return }
        let application = try session.application(app)
        guard !application.origins.isEmpty else {
            throw CommandFailure(
                "\(application.name) has no origin, so a token would open nothing",
                hint: "Set \(application.name(of: .origins)) to the address at which a proxy guards it.")
        }
        let (token, secret) = try await MachineTokens(store: session.store).create(
            for: application, label: label, lifetime: expires.flatMap { Period($0)?.duration })
        var object = token.json
        object["token"] = secret.text
        try session.print(object, secret.text)
        if !options.json { Output.note("This token is not shown again. Its id is \(token.id).") }
    }
}

struct ListTokens: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List tokens, newest first; expired ones stay for 30 days.")

    @OptionGroup var options: OperatorOptions

    @Option(help: "Only of this application; one that is not in the settings any more, too.")
    var app: String?

    func run(_ session: OperatorSession) async throws {
        let tokens = try await session.store.machineTokens(application: app?.asciiLowercased)
        if let app, tokens.isEmpty { _ = try session.application(app) }
        try session.list(tokens)
    }
}

struct RevokeToken: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a token away: it opens nothing from now on.")

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Id of the token, as `tokens list` shows it.")
    var token: String

    func run(_ session: OperatorSession) async throws {
        guard try await MachineTokens(store: session.store).revoke(id: token) else {
            throw CommandFailure("there is no token \(token)", hint: "`vestibule tokens list` lists them by id.")
        }
        try session.print(["revoked": token], "revoked \(token)")
    }
}

extension MachineToken: Listed {
    static let columns: [Column<Self>] = [
        Column("ID", "id") { $0.id }, Column("APPLICATION", "application") { $0.application },
        Column("CREATED (UTC)", "created_at") { $0.createdAt },
        Column("EXPIRES", "expires_at", none: "never") { $0.expiresAt },
        Column("LAST USED", "last_used_at", none: "never") { $0.lastUsedAt }, Column("LABEL", "label") { $0.label },
    ]
}

extension OperatorSession {
    /// The application of that name in the settings.
    func application(_ name: String) throws -> ProtectedApplication {
        let applications = Applications(settings.applications)
        if let application = applications.application(named: name) { return application }
        let names = applications.all.map(\.name)
        throw CommandFailure(
            "there is no application \(name)",
            hint: names.isEmpty
                ? "The settings name none; see VESTIBULE_APP_<NAME>_ORIGINS and VESTIBULE_APP_<NAME>_REDIRECTS."
                : "One of: \(names.joined(separator: ", ")).")
    }
}
