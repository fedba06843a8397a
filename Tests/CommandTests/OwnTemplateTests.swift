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
}
