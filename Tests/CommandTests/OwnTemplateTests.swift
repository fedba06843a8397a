import Foundation
import Testing

@testable import Essentials

/// Templates and lists of an operator, with the real program.
@Suite(.timeLimit(.minutes(15)))
struct OwnTemplateTests {
    @Test(arguments: [
        (["terms": "{{> terms}}"], "terms", "terms → terms"),
        (
            [
                "terms": "{{> partials/a}}", "partials/a": "{{^no}}{{> partials/b}}{{/no}}",
                "partials/b": "{{> partials/a}}",
            ],
            "partials/a", "partials/a → partials/b → partials/a"
        ),
        (
            ["terms": "{{<partials.a}}{{$x}}{{> terms}}{{/x}}{{/partials.a}}", "partials/a": "{{$x}}{{/x}}"],
            "terms", "terms → partials/a → {{$x}} → terms"
        ),
        (["terms": "{{<layout}}{{$main}}{{$main}}{{/main}}{{/main}}{{/layout}}"], "terms", "{{$main}} → {{$main}}"),
        (
            ["mail/signup-code.txt": "{{{code}}} {{> mail/signup-code.txt}}"],
            "mail/signup-code.txt", "mail/signup-code.txt → mail/signup-code.txt"
        ),
    ])
    func `a template that includes itself stops the start, and its circle is named`(
        templates: [String: String], name: String, circle: String
    ) async throws {
        let program = try Program()
        for (name, text) in templates { try program.write(text, to: "Templates/\(name).mustache") }
        let fault = "template \(name) includes itself: \(circle)\n"
        for command in ["doctor", "upgrade-check"] {
            let ill = try await program.run(command)
            try #require(ill.status == 1, "\(ill.output)")
            #expect(ill.output.contains("FAIL templates and public files: \(fault)"), "\(ill.output)")
        }
        let stopped = try await program.run("serve")
        #expect(stopped.status == 1 && stopped.errors.contains("vestibule: error: \(fault)"), "\(stopped.errors)")
    }

    @Test(arguments: ["{{=<% %>=}}<%> terms %>", "{{>*name}}", "{{<*name}}{{/*name}}"])
    func `a template of which nobody can tell what it includes stops the start`(text: String) async throws {
        let program = try Program()
        try program.write(text, to: "Templates/terms.mustache")
        let ill = try await program.run("doctor").output
        let fault = "template terms has {{=, {{>* or {{<*, which are not supported"
        #expect(ill.contains("FAIL templates and public files: \(fault)\n"), "\(ill)")
    }

    @Test(arguments: [
        ("terms", "<p>\n[[#site.signup]]\n<p>\n[[/site.signup]]\n{{#a}}{{/b}}\n\n", 5, "this closing tag is not that"),
        (
            "mail/signup-code.txt", "[[#site.signup]]\n{{{code}}}\n[[/site.signup]]\n{{#a}}{{/b}}\n", 4,
            "this closing tag is not that"
        ),
        ("terms", "<p>\n[[#site.signup]][[/site]]\n", 2, "this closing tag is not that"),
        ("terms", "<p>\n{{/a}}", 2, "this closing tag is not that"),
        ("terms", "<p>\n{{#a}}<p>", 2, "a section is still open at the end"),
        ("terms", "<p>\n{{name}<p>", 2, "a tag is not closed"),
        ("terms", "<p>\n{{!", 2, "a tag cannot be read (overflow)"),
    ])
    func `a fault is named with its line in the file`(
        name: String, text: String, line: Int, words: String
    ) async throws {
        let program = try Program()
        try program.write(text, to: "Templates/\(name).mustache")
        let ill = try await program.run("doctor").output
        #expect(ill.contains("template \(name), line \(line): \(words)"), "\(ill)")
    }

    @Test func `a linked folder is followed, and a link in a circle is named`() async throws {
        let program = try Program()
        try program.write("<p>House rules</p>", to: "shared/terms/own.mustache")
        try program.write("{{> linked/own}}", to: "Templates/terms.mustache")
        try program.write(":root {}", to: "shared/css/theme.css")
        try program.link("Templates/linked", to: "../shared/terms")
        try program.link("Public", to: "shared")
        let server = try await Server(program)
        #expect(try await server.send("/terms").body == "<p>House rules</p>")
        #expect(try await server.send("/css/theme.css").body == ":root {}")
        #expect(await server.end(SIGTERM) == 0)
        try program.link("Templates/again", to: ".")
        let ill = try await program.run("doctor").output
        #expect(
            ill.contains(
                "FAIL templates and public files: \(program.folder)/Templates/again is a symbolic link to a folder"),
            "\(ill)")
    }

    @Test func `files that editors and archives leave behind are no templates`() async throws {
        let program = try Program()
        for name in ["._terms.mustache", ".#login.mustache", ".git/x.mustache", "locales/._de.json"] {
            try program.write("{{#", to: "Templates/\(name)")
        }
        try program.chmod(0, "Templates/.git")
        let well = try await program.runHeldBack("doctor")
        #expect(well.status == 0 && well.output.contains("ok   templates of your own (none)\n"), "\(well.output)")
        try program.chmod(0o755, "Templates/.git")
    }

    @Test(arguments: [
        ("# mine\r\n\r\n40f598cc76550d29\r\n", nil), ("# mine\n\nx\n", ": line 3 is not sixteen hexadecimal digits\n"),
        ("", ": there is no password in it\n"),
    ])
    func `a list of common passwords is read, or refused with file and line`(text: String, fault: String?) async throws
    {
        let program = try Program()
        try program.write(text, to: "Templates/common-passwords.txt")
        let found = try await program.run("doctor").output
        let file = "\(program.folder)/Templates/common-passwords.txt"
        let line = fault.map { "FAIL templates and public files: \(file)\($0)" } ?? "ok   templates and public files\n"
        #expect(found.contains(line), "\(found)")
    }

    @Test func `a list of common passwords that is no text is refused in one sentence`() async throws {
        let program = try Program()
        try program.write("", to: "Templates/common-passwords.txt")
        let file = "\(program.folder)/Templates/common-passwords.txt"
        try Data([0xFF, 0x0A]).write(to: URL(filePath: file))
        let stopped = try await program.run("serve")
        #expect(stopped.status == 1)
        #expect(stopped.errors.hasPrefix("vestibule: error: \(file) cannot be read, or is not UTF-8\n"))
    }
}
