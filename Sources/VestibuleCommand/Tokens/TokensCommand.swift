import ArgumentParser

/// `vestibule tokens`
struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens", abstract: "See, make and revoke the tokens of scripts and services.",
        subcommands: [CreateToken.self, ListTokens.self, RevokeToken.self]
    )
}
