import Essentials
import Foundation
import Testing

@testable import Serving

/// Which templates are read, and when.
@Suite(.timeLimit(.minutes(15)))
struct TemplateTextsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private func texts(_ resources: Resources) throws -> TemplateTexts { try TemplateFiles(resources).texts }

    /// A folder of the operator with that file of templates.
    private func folder(_ file: String, _ text: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        let path = folder.appending(path: "Templates/\(file)")
        try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: path)
        return folder.path
    }

    @Test func `what is read for a template has all that it names`() throws {
        let texts = try texts(Resources(places: [Self.root], installed: Self.root))
        for name in texts.byName.keys {
            let needed = texts.needed(for: name)
            #expect(needed[name] != nil)
            for (part, text) in needed {
                for other in text.matches(of: /\{\{> *([^ }]+) *\}\}/).map(\.1) {
                    #expect(needed[String(other)] != nil, "\(part) includes \(other)")
                }
                for other in text.matches(of: /\{\{< *([^ }]+) *\}\}/).map(\.1) {
                    let path = String(other).replacing(".", with: "/").replacing("/txt", with: ".txt")
                    #expect(needed[path] != nil, "\(part) inherits from \(other)")
                }
            }
        }
        #expect(texts.needed(for: "login").count < texts.byName.count / 4)
        #expect(texts.needed(for: "none")["none"] == nil)
    }

    @Test func `those that were installed are known to be right, and with one of the operator's none is`() throws {
        let (places, installed) = ([Self.root], Self.root)
        let (page, mail) = (
            try folder("terms.mustache", "<%={{ }}=%>"), try folder("mail/signup-code.txt.mustache", "")
        )
        let language = try folder("locales/de.json", #"{"login": {"submit": "Hinein"}}"#)
        #expect(try texts(Resources(places: places, installed: installed)).areInstalled)
        #expect(try texts(Resources(places: places + [language], installed: installed)).areInstalled)
        for own in [
            Resources(places: places + [page], installed: installed),
            Resources(places: places + [mail], installed: installed), Resources(places: places),
        ] {
            let texts = try texts(own)
            #expect(!texts.areInstalled && texts.needed(for: "login") == texts.byName)
        }
    }

    @Test func `a faulty sentence of the operator's is found at the start, an installed one by the check`() throws {
        let faulty = try folder("locales/de.json", #"{"login": {"submit": "{{nobody}}"}}"#)
        let places = [Self.root, faulty]
        #expect(throws: TemplateFault.self) { try TemplateFiles(Resources(places: places, installed: Self.root)) }
        let installed = Resources(places: places, installed: faulty)
        _ = try TemplateFiles(installed)
        #expect(throws: TemplateFault.self) { try installed.languageReports() }
    }

    @Test func `the folder above the executable was installed with it, also where the server works in it`() throws {
        let executable = Self.root + "/.build/debug/vestibule"
        for folder in [Self.root, FileManager.default.temporaryDirectory.path] {
            let found = try #require(Resources.find(executable: executable, workingDirectory: folder))
            #expect(try texts(found).areInstalled, "\(folder)")
        }
        let elsewhere = try #require(Resources.find(executable: "/usr/bin/vestibule", workingDirectory: Self.root))
        #expect(try !texts(elsewhere).areInstalled)
    }
}
