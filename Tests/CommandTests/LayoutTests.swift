import Foundation
import TestSupport
import Testing

/// Where the program finds what it serves, in the folders that packages put it into.
@Suite(.timeLimit(.minutes(15)))
struct LayoutTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private let found = "ok   templates and public files\n"

    /// Makes a folder that holds the executable and, by links, `Templates` and `Public`; returns
    /// the executable.
    private func install(_ executable: String, _ files: String) async throws -> String {
        let owner = try Program()
        let root = owner.folder
        for folder in ["Templates", "Public"] {
            let place = URL(filePath: root).appending(path: files).appending(path: folder)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: place, withDestinationURL: Self.repository.appending(path: folder))
        }
        let program = URL(filePath: root).appending(path: executable)
        try FileManager.default.createDirectory(
            at: program.deletingLastPathComponent(), withIntermediateDirectories: true)
        // By another process: a file that this one has open for writing is inherited by what other
        // tests start at that moment, and cannot be executed until they close it.
        #expect(try await owner.run([BuiltProgram.executable.path, program.path], of: "/bin/cp").status == 0)
        return program.path
    }

    @Test func `the Debian package has the program in usr/bin and the files in usr/share/vestibule`() async throws {
        let program = try Program()
        let executable = try await install("usr/bin/vestibule", "usr/share/vestibule")
        #expect(try await program.run(["doctor"], of: executable).output.contains(found))
        try program.write("<p>{{#oops}}</p>\n", to: "Templates/terms.mustache")
        #expect(try await program.run(["doctor"], of: executable).output.contains("FAIL templates and public files"))
    }

    @Test func `a layout of one's own and files of one's own are laid over the product`() async throws {
        let program = try Program()
        try program.write("", to: "Public/logo.txt")
        try program.write("<p>{{#oops}}</p>\n", to: "Templates/layout.mustache")
        let executable = try await install("usr/bin/vestibule", "usr/share/vestibule")
        let broken = try await program.run(["doctor"], of: executable).output
        #expect(broken.contains("FAIL templates and public files: template layout, line "), "\(broken)")
        let layout = Self.repository.appending(path: "Templates/layout.mustache")
        try program.write(String(contentsOf: layout, encoding: .utf8), to: "Templates/layout.mustache")
        #expect(try await program.run(["doctor"], of: executable).output.contains(found))
    }

    @Test func `the tarball has all in one folder, and works from any other`() async throws {
        let executable = try await install("vestibule-1/vestibule", "vestibule-1")
        #expect(try await Program().run(["doctor"], of: executable).output.contains(found))
    }

    @Test(arguments: ["Public/css/theme.css", "Public/css", "Public", "Templates", "Templates/mail"])
    func `what is one's own and may not be read is named, in one sentence`(path: String) async throws {
        let program = try Program()
        try program.write(":root { --brand: #123456; }", to: "Public/css/theme.css")
        try program.write("<p>Terms</p>\n", to: "Templates/terms.mustache")
        try program.write("", to: "Templates/mail/own.mustache")
        try program.chmod(0, path)
        let sentence = "\(program.folder)/\(path) cannot be read: Permission denied"
        let found = try await program.runHeldBack("doctor")
        #expect(found.status == 1)
        #expect(found.output.contains("FAIL templates and public files: \(sentence)\n"), "\(found.output)")
        let stopped = try await program.runHeldBack("serve")
        #expect(stopped.status == 1 && stopped.isRefusal)
        #expect(stopped.errors.hasPrefix("vestibule: error: \(sentence)\n"), "\(stopped.errors)")
        try program.chmod(0o755, path)
    }

    @Test func `without them it says what is missing`() async throws {
        let outcome = try await Program().run(["serve"], of: install("usr/bin/vestibule", "elsewhere"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("Templates and Public were not found\nhint: "))
    }

    @Test func `a build that nobody has packaged says so`() async throws {
        let outcome = try await Program().run("--version")
        #expect(outcome.status == 0 && outcome.output == "development\n")
    }
}
