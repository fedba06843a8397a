import ArgumentParser

/// `vestibule keys`
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "See and replace the keys that sign assertions for applications.",
        subcommands: [ListKeys.self, RotateKeys.self]
    )
}
