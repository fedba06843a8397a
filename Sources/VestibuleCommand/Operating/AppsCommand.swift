import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule apps`
struct AppsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "See the applications of the settings, and make secrets for OpenID Connect.",
        subcommands: [ListApps.self, ShowApp.self, AppSecret.self]
    )
}

struct ListApps: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the applications that the settings name.")

    @OptionGroup var options: OperatorOptions

    func run() throws {
        var listing = Listing<ProtectedApplication>(json: options.json)
        try listing.add(try options.common.settings().applications)
    }
}

struct ShowApp: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what to type into an application that signs in by OpenID Connect.")

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Name of the application in the settings.")
    var name: String

    func run(_ session: OperatorSession) async throws {
        let (application, client) = try session.client(name)
        let url = session.settings.publicURL
        let secrets = try await ClientSecrets(store: session.store).list(application.name)
        // The JSON of rows without a key is added below: lists, and what may be missing.
        let facts: [(key: String?, heading: String, text: String)] = [
            ("issuer", "Issuer", url.text),
            ("discovery", "Discovery document", url.url("/.well-known/openid-configuration")),
            ("client_id", "Client ID", application.name),
            ("client", "Client", client.isPublic ? "public, no secret" : "confidential"),
            (nil, "Redirect URI", Self.list(client.redirects)),
            ("authorization_endpoint", "Authorization endpoint", url.url("/oauth/authorize")),
            ("token_endpoint", "Token endpoint", url.url("/oauth/token")),
            ("userinfo_endpoint", "Userinfo endpoint", url.url("/oauth/userinfo")),
            ("end_session_endpoint", "Logout endpoint", url.url("/oauth/logout")),
            ("jwks_uri", "Keys", url.url("/.well-known/jwks.json")),
            ("scope", "Scopes", "openid profile email groups" + (client.offersOffline ? " offline_access" : "")),
            ("code_challenge_method", "PKCE", client.requiresPKCE ? "S256, required" : "S256, or none"),
            ("id_token_alg", "ID token", client.algorithm.rawValue),
            (nil, "Logout redirect URI", Self.list(client.logoutRedirects)),
            (nil, "Back-channel logout", client.logoutURL ?? "none"),
        ]
        var object: JSONObject = [:]
        for case (let key?, _, let text) in facts { object[key] = text }
        object["redirect_uris"] = client.redirects.map(\.text)
        object["post_logout_redirect_uris"] = client.logoutRedirects.map(\.text)
        object["logout_uri"] = client.logoutURL
        object["secrets"] = secrets.map { ["id": $0.id, "created_at": $0.createdAt] as JSONObject }
        var lines = facts.map { "\($0.heading): \($0.text)" }
        if !client.isPublic, secrets.isEmpty {
            lines.append("Secret: none; make one with `vestibule apps secret \(application.name)`")
        }
        lines += secrets.map { "Secret \($0.id): made \($0.createdAt.utc) UTC" }
        try session.print(object, lines: lines.map(Printable.text))
    }

    private static func list(_ redirects: [ClientRedirect]) -> String {
        redirects.isEmpty ? "none" : redirects.map(\.text).joined(separator: " ")
    }
}

struct AppSecret: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret", abstract: "Make a secret for an application, or revoke one.",
        discussion: """
            It is printed once and cannot be shown again. Two may be valid: make the second, type it into the \
            application, then revoke the first.
            """
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Name of the application in the settings.")
    var name: String

    @Option(help: "Revoke the secret of this id, as `apps show` lists it, and make none.")
    var revoke: String?

    func run(_ session: OperatorSession) async throws {
        let (application, client) = try session.client(name)
        let secrets = ClientSecrets(store: session.store)
        if let id = revoke {
            guard try await secrets.revoke(id: id, of: application.name) else {
                throw CommandFailure(
                    "\(application.name) has no secret \(id)",
                    hint: "`vestibule apps show \(application.name)` lists them by id.")
            }
            return try session.print(["revoked": id], "revoked \(id)")
        }
        guard !client.isPublic else {
            throw CommandFailure(
                "\(application.name) is a public client",
                hint: "It needs no secret. \(application.name(of: .client)) says so.")
        }
        guard let (id, secret) = try await secrets.create(for: application.name) else {
            throw CommandFailure(
                "\(application.name) has two secrets already",
                hint: "Revoke one with --revoke ID; `vestibule apps show \(application.name)` lists them.")
        }
        try session.print(["id": id, "secret": secret.text], secret.text)
        if !options.json { Output.note("This secret is not shown again. Its id is \(id).") }
    }
}

extension ProtectedApplication: Listed {
    static let columns: [Column<Self>] = [
        Column("NAME", "name") { $0.name }, Column("LABEL", "label") { $0.label },
        Column("ORIGINS", "origins", texts: { $0.origins.map(\.text) }),
        Column("OPENID", "openid") { application in
            application.client.map { $0.isPublic ? "public" : "confidential" }
        },
        Column("REDIRECTS", "redirect_uris", texts: { $0.client?.redirects.map(\.text) ?? [] }),
    ]
}

extension ProtectedApplication {
    /// The full name of one of its settings, such as `VESTIBULE_APP_NOTES_ORIGINS`.
    func name(of setting: ApplicationSetting) -> String {
        // Characters: names have ASCII letters and digits.
        setting.name(of: name.uppercased())
    }
}

extension OperatorSession {
    /// The application of that name, which has to sign in by OpenID Connect.
    fileprivate func client(_ name: String) throws -> (ProtectedApplication, OpenIDClient) {
        let application = try application(name)
        if let client = application.client { return (application, client) }
        throw CommandFailure(
            "\(application.name) does not sign in by OpenID Connect", hint: "Set \(application.name(of: .redirects)).")
    }
}
