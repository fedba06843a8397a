import Foundation
import Testing

@testable import Essentials

/// What an operator's own files under `Public` change, with the real program.
@Suite(.timeLimit(.minutes(15)))
struct BrandTests {
    private let theme = ":root { --brand: #0a6b4f; }\n"
    private let darkTheme = "@media (prefers-color-scheme: dark) { :root { --brand: #6fd3b0; } }\n"

    @Test func `a theme of one line is laid over the product's colours`() async throws {
        let program = try Program()
        try program.write(theme, to: "Public/css/theme.css")
        let server = try await Server(program)
        let page = try await server.send("/login").body
        let product = try #require(page.range(of: "/css/vestibule.css"))
        let own = try #require(page.range(of: "/css/theme.css"))
        #expect(product.upperBound < own.lowerBound)
        #expect(try await server.send("/css/theme.css").body == theme)
        let sheet = try await server.send("/css/vestibule.css").body
        for token in ["--ground: #", "--ink: #", "--radius: ", "--font: "] { #expect(sheet.contains(token)) }
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test func `without a theme nothing is loaded for one`() async throws {
        let server = try await Server(Program())
        #expect(try await !server.send("/login").body.contains("theme.css"))
        #expect(try await server.send("/css/theme.css").status == 404)
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test func `mails have the theme's colours and the name, and no door beside a logo of one's own`() async throws {
        let program = try Program()
        try program.write(theme + darkTheme, to: "Public/css/theme.css")
        let plain = try await mail(of: program)
        #expect(plain.contains("border-top: 4px solid #0a6b4f") && plain.contains("background: #6fd3b0"))
        #expect(plain.contains("class=3D\"door\"") && plain.contains("Fir & Birch"))
        for color in ["#2f54d6", "#8ea6ff"] { #expect(!plain.contains(color)) }
        try program.write("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"/>", to: "Public/mark.svg")
        let own = try await mail(of: program)
        #expect(!own.contains("class=3D\"door\"") && own.contains("Fir & Birch"))
    }

    @Test func `a logo of one's own is on the pages`() async throws {
        let program = try Program()
        try program.write("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"/>", to: "Public/mark.svg")
        let server = try await Server(program)
        for path in ["/", "/login"] {
            let page = try await server.send(path).body
            #expect(page.contains("<img class=\"mark\" src=\"/mark.svg?v=") && !page.contains("mark-door"))
        }
        #expect(await server.end(SIGTERM) == 0)
    }

    @Test func `doctor finds colours of too little contrast, by name and ratio`() async throws {
        let program = try Program()
        #expect(try await program.run("doctor").output.contains("ok   theme\n"))
        let pale = "--brand: #ffcc00; --on-brand: #fff; --brand-line: #fc0; --ink: #777;"
        try program.write(":root { \(pale) }", to: "Public/css/theme.css")
        let ill = try await program.run("doctor")
        #expect(ill.status == 1)
        for line in [
            "light: --on-brand (#ffffff) on --brand (#ffcc00) is 1.51:1, and 4.5:1 is needed",
            "light: --brand-line (#ffcc00) on --surface (#ffffff) is 1.51:1, and 3:1 is needed",
            "light: --ink (#777777) on --surface (#ffffff) is 4.47:1, and 4.5:1 is needed",
            "dark: --ink (#777777) on --surface (#191c23) is 3.80:1, and 4.5:1 is needed",
        ] { #expect(ill.output.contains("FAIL theme: \(line)\n"), "\(line)\n\(ill.output)") }
        try program.write(":root { --brand: oklch(0.5 0.1 160); }", to: "Public/css/theme.css")
        let unread = try await program.run("doctor")
        #expect(unread.status == 0 && unread.output.contains("warn theme: --brand is not #rrggbb"))
        try program.write("@import 'https://fonts.example/x.css';\n:root { --barnd #fff; }", to: "Public/css/theme.css")
        let idle = try await program.run("doctor").output
        #expect(idle.contains("warn theme: theme.css sets no property of the product's style sheet\n"))
        #expect(idle.contains("warn theme: theme.css names another host or sheet, and pages load none of another\n"))
        let own = "--my-green: #0a6b4f; --brand: light-dark(var(--my-green), #6fd3b0); --on-brnd: #fff;"
        try program.write(":root { \(own) }", to: "Public/css/theme.css")
        let mistyped = try await program.run("doctor").output
        #expect(
            mistyped.contains(
                "theme: --on-brnd is no property of the product's style sheet, did you mean --on-brand?\n"))
        #expect(!mistyped.contains("my-green"))
        try program.write(theme + darkTheme, to: "Public/css/theme.css")
        #expect(try await program.run("doctor").output.contains("ok   theme\n"))
    }

    @Test func `doctor finds a logo that is none or cannot be seen, and what the theme cannot load`() async throws {
        let program = try Program()
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">"
        #expect(try await program.run("doctor").output.contains("ok   logo\n"))
        try program.write("\u{89}PNG", to: "Public/mark.svg")
        let none = try await program.run("doctor")
        #expect(none.status == 1 && none.output.contains("FAIL logo: Public/mark.svg is no SVG picture"))
        let lost = "warn logo: Public/mark.svg can hardly be seen on dark pages"
        for (picture, isLost) in [
            ("<path d=\"M0 0h9\"/></svg>", true), ("<path fill=\"#16181d\" d=\"M0 0h9\"/></svg>", true),
            ("<path fill=\"#0a8b4f\" d=\"M0 0h9\"/></svg>", false),
            ("<style>@media (prefers-color-scheme: dark) { path { fill: #fff } }</style><path d=\"M0\"/></svg>", false),
        ] {
            try program.write(svg + picture, to: "Public/mark.svg")
            let outcome = try await program.run("doctor")
            #expect(outcome.status == 0 && outcome.output.contains(lost) == isLost, "\(picture) \(outcome.output)")
        }
        let fonts = ["https://fonts.example/a.woff2", "data:font/woff2,A", "../fonts/b.woff2", "../fonts/c.woff2"]
        let faces = fonts.map { "@font-face { font-family: A; src: url('\($0)'); }" }.joined()
        try program.write(theme + faces, to: "Public/css/theme.css")
        try program.write("x", to: "Public/fonts/c.woff2")
        let output = try await program.run("doctor").output
        for font in ["https://fonts.example/a.woff2, and the", "data:, and the", "../fonts/b.woff2, which is not"] {
            #expect(output.contains("warn theme: theme.css loads \(font)"), "\(output)")
        }
        #expect(!output.contains("loads ../fonts/c.woff2"))
    }

    @Test func `doctor looks at every picture of the brand, light and dark`() async throws {
        let program = try Program()
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><path d=\"M0 0h9\"/></svg>"
        let lost = "warn logo: Public/wordmark.svg can hardly be seen on dark pages"
        try program.write(svg, to: "Public/wordmark.svg")
        #expect(try await program.run("doctor").output.contains("\(lost): draw it with"))
        for dark in ["wordmark-dark.svg", "wordmark-dark.png"] {
            try program.write(svg, to: "Public/\(dark)")
            let found = try await program.run("doctor").output
            #expect(!found.contains(lost) && !found.contains("Public/\(dark) is for dark pages"), "\(found)")
            let isSVG = dark.hasSuffix("svg")
            #expect(found.contains("warn logo: Public/\(dark) can hardly be seen on dark pages: draw it") == isSVG)
            try FileManager.default.removeItem(atPath: "\(program.folder)/Public/\(dark)")
        }
        try FileManager.default.removeItem(atPath: "\(program.folder)/Public/wordmark.svg")
        try program.write(svg, to: "Public/wordmark-dark.png")
        try program.write("\u{89}PNG", to: "Public/favicon-dark.svg")
        let alone = try await program.run("doctor").output
        #expect(alone.contains("FAIL logo: Public/favicon-dark.svg is no SVG picture"))
        for (dark, light) in [("wordmark-dark.png", "wordmark.svg"), ("favicon-dark.svg", "favicon.svg")] {
            let words = "is not used: it needs a picture for light pages, such as"
            let line = "warn logo: Public/\(dark) \(words) Public/\(light)\n"
            #expect(alone.contains(line), "\(alone)")
        }
    }

    @Test func `a preview is one file that needs no server and loads nothing`() async throws {
        let program = try Program()
        let face = "@font-face { font-family: Fir; src: url('../fonts/fir.woff2'); }\n"
        try program.write(face + theme + darkTheme, to: "Public/css/theme.css")
        try program.write("no font", to: "Public/fonts/fir.woff2")
        let drawn = try await program.run(
            "theme", "--preview", environment: ["VESTIBULE_BRAND_NAME": "Fir & Birch"])
        #expect(drawn.status == 0 && drawn.output == "\(program.folder)/theme-preview.html\n", "\(drawn.errors)")
        let html = try String(contentsOfFile: program.folder + "/theme-preview.html", encoding: .utf8)
        #expect(html.contains("Fir &amp; Birch") && html.components(separatedBy: "<iframe").count == 11)
        let shown = html.replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
        #expect(shown.contains("481506"))
        for named in ["\"/css", "\"/js", "\"/mark", "/fonts/fir", "prefers-color-scheme"] {
            #expect(!shown.contains(named), "\(named)")
        }
        #expect(!FileManager.default.fileExists(atPath: program.folder + "/data"))
    }

    @Test func `a preview goes where it is told, and says why it does not`() async throws {
        let program = try Program()
        let drawn = try await program.run("theme", "--preview", "--out", "brand.html")
        #expect(drawn.status == 0 && drawn.output == "\(program.folder)/brand.html\n")
        let nowhere = try await program.run("theme", "--preview", "--out", "none/brand.html")
        #expect(nowhere.status == 1 && nowhere.errors.contains("none/brand.html cannot be written\nhint: "))
        #expect(try await program.run("theme").status == 64)
        let misled = try await program.run("theme", "--preview", environment: ["VESTIBULE_SIGNUP": "perhaps"])
        #expect(misled.status == 78)
        try program.write("{{#open}}", to: "Templates/welcome.mustache")
        let broken = try await program.run("theme", "--preview")
        #expect(broken.status == 1 && broken.errors.contains("template welcome"))
    }

    @Test func `the colours that README and handbook show pass doctor`() async throws {
        for (document, start) in [("README.md", "(`"), ("docs/operating/appearance.md", "echo '")] {
            let text = try String(contentsOf: Self.repository.appending(path: document), encoding: .utf8)
            let line = try #require(text.firstRange(of: "\(start):root {").map { text[$0.upperBound...] })
            let end = try #require(line.firstIndex(of: "}"))
            let program = try Program()
            try program.write(":root {\(line[...end])", to: "Public/css/theme.css")
            #expect(try await program.run("doctor").output.contains("ok   theme\n"), "\(document)")
        }
    }

    @Test func `the sentence that the handbook changes is shown to everybody`() async throws {
        let page = Self.repository.appending(path: "docs/operating/appearance.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let own = try #require(text.firstMatch(of: /echo '(.*)' > Templates\/locales\/en.json/)?.output.1)
        let program = try Program()
        try program.write(String(own), to: "Templates/locales/en.json")
        let server = try await Server(program, environment: ["VESTIBULE_BRAND_NAME": "Fir"])
        #expect(try await server.send("/signup").body.contains("Join Fir"))
        #expect(await server.end(SIGTERM) == 0)
    }

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A mail of a sign-up, its lines put together again.
    private func mail(of program: Program) async throws -> String {
        let server = try await Server(program, environment: ["VESTIBULE_BRAND_NAME": "Fir & Birch"])
        let address = "ada.\(Int.random(in: 0..<1_000_000_000))@example.com"
        _ = try await program.signUp(address, at: server)
        #expect(await server.end(SIGTERM) == 0)
        return program.mails(to: address).joined().replacing("=\r\n", with: "").replacing("&amp;", with: "&")
    }
}
