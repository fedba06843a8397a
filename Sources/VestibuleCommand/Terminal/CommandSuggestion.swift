import ArgumentParser
import Essentials

/// The command somebody may have meant.
enum CommandSuggestion {
    /// The whole command up to the first word that names none, with the nearest name in its place,
    /// or with a later word before it where the two were swapped; nil if none is near.
    static func nearest(to arguments: [String], in root: any ParsableCommand.Type) -> String? {
        var (command, path) = (root, [root._commandName])
        let words = arguments.prefix { !$0.utf8.starts(with: "-".utf8) }
        for (place, word) in words.enumerated() {
            let choices = command.configuration.subcommands
            guard !choices.isEmpty else { return nil }
            guard let next = choices.first(where: { $0._commandName == word }) else {
                let meant = swapped(word, with: words.dropFirst(place + 1), in: choices) ?? near(word, in: choices)
                return meant.map { (path + [$0]).joined(separator: " ") }
            }
            path.append(word)
            command = next
        }
        return nil
    }

    private static func near(_ word: String, in choices: [any ParsableCommand.Type]) -> String? {
        Suggestion.nearest(to: word, among: choices.map { $0._commandName }.sorted())
    }

    /// A command that a later word names, and that one of its own which this word is near to.
    private static func swapped(
        _ word: String, with later: ArraySlice<String>, in choices: [any ParsableCommand.Type]
    ) -> String? {
        later.lazy.compactMap { name in
            choices.first { $0._commandName == name }.flatMap { near(word, in: $0.configuration.subcommands) }
                .map { "\(name) \($0)" }
        }.first
    }
}
