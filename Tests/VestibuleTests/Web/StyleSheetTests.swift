import Foundation
import NIOCore
import Testing

@testable import Essentials
@testable import Serving

/// What the server sends as `css/vestibule.css`.
@Suite(.timeLimit(.minutes(15)))
struct StyleSheetTests {
    @Test func `the parts of the product's style sheet are sent as one file, in order`() async throws {
        let folder = House.root + "/Public/css/"
        let index = try String(contentsOfFile: folder + "vestibule.css", encoding: .utf8)
        let names = index.textLines.compactMap { $0.after("@import \"")?.parts(by: "\"").first }.map(String.init)
        let stored = try FileManager.default.contentsOfDirectory(atPath: folder + "vestibule")
        #expect(Set(names) == Set(stored.map { "vestibule/\($0)" }) && names.count == stored.count)
        try await withHouse { house in
            let sheet = try await house.visitor().get("/css/vestibule.css").body
            #expect(!sheet.contains("@import"))
            var rest = Substring(sheet)
            for name in names {
                let part = try String(contentsOfFile: folder + name, encoding: .utf8)
                let sent = String(decoding: StyleSheet.squeezed(Array(part.utf8)), as: UTF8.self)
                let found = try #require(rest.range(of: sent), "\(name)")
                rest = rest[found.upperBound...]
            }
        }
    }

    @Test func `a part of the operator's is laid over the one of the product`() throws {
        let own = ".button { border-radius: 0 }\n"
        let sheet = try sheet(["Public/css/vestibule/buttons.css": "\u{FEFF}" + own])
        #expect(sheet.contains("@layer parts {\n\(own)}"))
        #expect(!sheet.contains(".or::before"))
        #expect(sheet.contains("--ground: #") && sheet.contains(".visually-hidden"))
    }

    @Test(arguments: [
        "/*! licence */(function(){\n  start()\n})()\n", "/* one\r\n * two */\r\nstart()\r\n",
        "const text = `\n  // kept\n\n  too`\n", "/* mine */ start() /* now",
    ])
    func `a script of the operator's is sent as it is`(script: String) throws {
        #expect(try file("/js/own.js", among: ["Public/js/own.js": script]) == script)
    }

    @Test func `a part of the operator's is sent as it is`() throws {
        let own = "/* mine */ .button {\n  color: red; /* signal */\n}\n/* the end */ .x { top: 0 }\n"
        #expect(try sheet(["Public/css/vestibule/buttons.css": own]).contains("@layer parts {\n\(own)}"))
    }

    @Test(arguments: [
        ("/*! licence */(function(){\n  start()\n})()\n", "(function(){\nstart()\n})()\n"),
        ("/* one\r\n * two */\r\nstart()\r\n", "start()\r\n"), ("/*/ one */\nstart()\n", "start()\n"),
        ("  /* one */\n  // two\n\nstart() /* now\n*/\n", "start() /* now\n*/\n"),
    ])
    func `of an installed file, comments that begin a line and indentation are left out`(file: String, sent: String) {
        #expect(String(decoding: StyleSheet.squeezed(Array(file.utf8)), as: UTF8.self) == sent)
    }

    @Test func `a complete style sheet of the operator's is sent as it is`() throws {
        let own = "@charset \"utf-8\";\n:root { --brand: #0a6b4f }\r\n@import \"vestibule/base.css\" layer(base);"
        #expect(try sheet(["Public/css/vestibule.css": own]) == own)
    }

    @Test(arguments: [
        "@import \"vestibule/base.css\";", "@import \"vestibule/nothing.css\" layer(base);",
        "@import url(\"vestibule/base.css\") layer(base);", "@import \"other.css\" layer(base);",
        "@import \"https://a.example/b.css\" layer(base);", "@import \"vestibule/base.css\" layer(base) print;",
    ])
    func `other imports are left to the browser`(line: String) throws {
        let files = ["Public/css/vestibule.css": line, "Public/css/other.css": "@import \"mark.css\";"]
        // A file of ours has its version.
        #expect(try sheet(files).replacing(/\?v=[\w-]+/, with: "") == line)
    }

    private func sheet(_ files: [String: String]) throws -> String { try file("/css/vestibule.css", among: files) }

    /// What is sent for a path, with these files of the operator's.
    private func file(_ target: String, among files: [String: String]) throws -> String {
        let place = FileManager.default.temporaryDirectory.appending(path: "style-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        for (path, text) in files {
            let file = place.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let resources = Resources(places: [House.root, place.path], installed: House.root)
        let answer = try #require(try StaticFiles(resources).byTarget[target])
        return String(decoding: answer.body.readableBytesView, as: UTF8.self)
    }
}
