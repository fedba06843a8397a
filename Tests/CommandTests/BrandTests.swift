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
        try program.write(":root { --brand: #ffcc00; --ink: #777; }", to: "Public/css/theme.css")
        let ill = try await program.run("doctor")
        #expect(ill.status == 1)
        for line in [
            "light: --on-brand (#ffffff) on --brand (#ffcc00) is 1.51:1, and 4.5:1 is needed",
            "light: --brand (#ffcc00) on --surface (#ffffff) is 1.51:1, and 3:1 is needed",
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

    @Test func `the colours that README and handbook show pass doctor`() async throws {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        for (document, start) in [("README.md", "(`"), ("docs/operating/appearance.md", "echo '")] {
            let text = try String(contentsOf: repository.appending(path: document), encoding: .utf8)
            let line = try #require(text.firstRange(of: "\(start):root {").map { text[$0.upperBound...] })
            let end = try #require(line.firstIndex(of: "}"))
            let program = try Program()
            try program.write(":root {\(line[...end])", to: "Public/css/theme.css")
            #expect(try await program.run("doctor").output.contains("ok   theme\n"), "\(document)")
        }
    }

    /// A mail of a sign-up, its lines put together again.
    private func mail(of program: Program) async throws -> String {
        let server = try await Server(program, environment: ["VESTIBULE_BRAND_NAME": "Fir & Birch"])
        let address = "ada.\(Int.random(in: 0..<1_000_000_000))@example.com"
        _ = try await program.signUp(address, at: server)
        #expect(await server.end(SIGTERM) == 0)
        return program.mails(to: address).joined().replacing("=\r\n", with: "").replacing("&amp;", with: "&")
    }
}
