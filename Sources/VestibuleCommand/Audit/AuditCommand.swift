import ArgumentParser

/// `vestibule audit`
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "See what happened around accounts.", subcommands: [TailEvents.self]
    )
}
