import ArgumentParser
import Essentials
import Vestibule

/// The command somebody may have meant.
enum CommandSuggestion {
    /// The whole command up to the first word that names none, with the nearest name in its place;
    /// nil if none is near.
    static func nearest(to arguments: [String], in root: any ParsableCommand.Type) -> String? {
        var (command, path) = (root, [root._commandName])
        for argument in arguments {
            let choices = command.configuration.subcommands
            guard !choices.isEmpty, !argument.utf8.starts(with: "-".utf8) else { return nil }
            guard let next = choices.first(where: { $0._commandName == argument }) else {
                let names = choices.map { $0._commandName }.sorted()
                return Suggestion.nearest(to: argument, among: names).map { (path + [$0]).joined(separator: " ") }
            }
            path.append(argument)
            command = next
        }
        return nil
    }
}
