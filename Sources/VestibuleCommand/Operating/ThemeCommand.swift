import ArgumentParser
import Bytes
import Foundation
import Serving
import Vestibule

/// `vestibule theme`
struct ThemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "theme", abstract: "Draw pages and a mail with your brand, without a server.",
        discussion: "From the settings, templates and public files of the folder it runs in, as they are now."
    )

    @OptionGroup var options: CommonOptions

    @Flag(help: "Draw welcome, login, a refused form and a mail, light and dark, as one HTML file.")
    var preview = false

    @Option(help: "The file to write, FILE.html; one that is there is replaced.")
    var out = "theme-preview.html"

    func validate() throws {
        guard preview else { throw ValidationError("theme does one thing so far: say --preview.") }
        guard out.ends(with: ".html") else { throw ValidationError("--out takes a name that ends in .html.") }
    }

    func run() throws {
        let settings = try options.settings()
        let file = URL(filePath: out).standardizedFileURL
        let resources = try Wiring.resources()
        let html = try Wiring.reading(resources) { try PreviewPage(resources, settings: settings).html() }
        do {
            try Data(html.utf8).write(to: file, options: .atomic)
        } catch {
            throw CommandFailure("\(file.path) cannot be written", hint: "Name a file in another folder: --out FILE.")
        }
        try Output.print(file.path)
    }
}
