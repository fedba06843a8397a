import ArgumentParser

/// `vestibule sessions`
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "See and end the sessions of an account.",
        subcommands: [ListSessions.self, EndSessions.self]
    )
}
