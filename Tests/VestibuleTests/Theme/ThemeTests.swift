import Foundation
import Testing

@testable import Serving
@testable import Vestibule

/// How a theme's style sheet is read.
@Suite(.timeLimit(.minutes(15)))
struct ThemeTests {
    @Test func `the product's own colours have enough contrast`() throws {
        let theme = try House.resources.theme()
        #expect(theme.contrastFaults == [] && theme.unread == [])
    }

    /// Each makes white text on a white button, light or dark, and nothing else of that pair.
    @Test(arguments: [
        (":root{--brand:#fff}", "light"), (":root, html { --brand: #fff }", "light"),
        ("html { --brand : #FFF }", "light"),
        (":root { --brand: #ffffff !important }", "light"),
        ("/* } */ :root { /* ; */ --brand: #fff; }", "light"), (":root { --font: \"a;}{\"; --brand: #fff }", "light"),
        ("@layer mine { :root { --brand: #fff } }", "light"), (":root { --x: #fff; --brand: var(--x) }", "light"),
        ("@supports (color: color-mix(in srgb, red, red)) { :root { --brand: #fff } }", "light"),
        ("@media (prefers-color-scheme:light) { :root { --brand: #fff } }", "light"),
        (":root { --brand: light-dark(#fff, #8ea6ff) }", "light"),
        (":root { --brand: color-mix(in srgb, #fff 100%, #000) }", "light"),
        ("@media (prefers-color-scheme: dark) { :root { --on-brand: #8ea6ff } }", "dark"),
        (":root { --on-brand: light-dark(#fff, #8ea6ff) }", "dark"),
        (":root { --on-brand: #8ea6ff } @media (prefers-color-scheme: light) { :root { --on-brand: #fff } }", "dark"),
    ])
    func `colours are computed as a browser would`(css: String, scheme: String) throws {
        // Set by the operator, so that they stay as they are.
        let theme = try theme(":root { --on-brand: light-dark(#fff, #0f1116) }" + css)
        #expect(theme.unread == [])
        let other = scheme == "light" ? "dark" : "light"
        let same = theme.contrastFaults.filter { $0.contains("--on-brand (#") && $0.contains("on --brand (") }
        #expect(same.contains { $0.hasPrefix("\(scheme): ") && $0.contains(" is 1.00:1") }, "\(theme.contrastFaults)")
        #expect(!same.contains { $0.hasPrefix("\(other): ") && $0.contains(" is 1.00:1") })
    }

    @Test(arguments: [
        "", "{", "}", "}}:root{", ":root", "/*", "\"", ":root { --brand", "a { --brand: #fff }",
        ":root a { --brand: #fff }", ":not(a, html, b) { --brand: #fff }",
        "@media print { :root { --brand: #fff } }", "@media (min-width: 1px) { :root { --brand: #fff } }",
        ":root { brand: #fff; --brand-: #fff }", "\\", "'\\", ":root { --x: (;",
    ])
    func `what sets no colour of the page changes none`(css: String) throws {
        let theme = try theme(css)
        #expect(theme.contrastFaults == [] && theme.unread == [])
    }

    @Test func `a byte order mark is passed over`() throws {
        #expect(try theme("\u{FEFF}:root { --brand: #ffcc00 }").light[.brand].hex == "#ffcc00")
    }

    @Test(arguments: [
        "red", "#ffff", "#12345", "#12345g", "rgb(0 0 0)", "var(--brand)", "var(--nothing)", "light-dark(#fff)",
        "color-mix(in oklab, #fff 50%, #000)", "color-mix(in srgb, #fff, #000)", "color-mix(in srgb, #fff 101%, #000)",
        "()", "",
    ])
    func `what cannot be computed is named, and the product's colour stands`(value: String) throws {
        let theme = try theme(":root { --brand: \(value) }")
        #expect(theme.unread.first == "brand" && theme.contrastFaults == [])
    }

    @Test(arguments: [
        "#ffcc00", "#0b1026", "#f7dfe3", "#808080", "#767676", "#ffffff", "#000000", "#00ff00", "#0000ff", "#ff0000",
    ])
    func `any colour of the brand is read, light and dark`(brand: String) throws {
        let theme = try theme(":root { --brand: \(brand) }")
        #expect(theme.contrastFaults == [])
        #expect(theme.light[.brand].hex == brand && theme.dark[.brand].hex == brand)
    }

    @Test func `pages get the colours that are read, and keep those that the operator sets`() throws {
        let yellow = try theme(":root { --brand: #ffcc00 }").readable
        #expect(yellow.contains("(prefers-color-scheme: light) {\n:root { --on-brand: #000000; --link: #"))
        #expect(yellow.contains("--brand-edge: var(--brand-line);") && !yellow.contains("(prefers-color-scheme: dark)"))
        let own = try theme(":root { --brand: #ffcc00; --on-brand: #fff; --link: #fc0; --brand-line: #fc0 }")
        #expect(own.contrastFaults.count { $0.contains("--on-brand") || $0.contains("--link") } >= 3)
        #expect(!own.readable.contains("--link") && !own.readable.contains("--on-brand"))
        for css in ["", ":root { --brand: #0a6b4f }", ":root { --font: serif }"] {
            #expect(try theme(css).readable.isEmpty == !css.contains("0a6b4f"), "\(css)")
        }
    }

    private func theme(_ css: String) throws -> Theme {
        let place = FileManager.default.temporaryDirectory.appending(path: "theme-\(UUID().uuidString)")
        let folder = place.appending(path: "Public/css")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        try Data(css.utf8).write(to: folder.appending(path: "theme.css"))
        return try Resources(places: [House.root, place.path]).theme()
    }
}
