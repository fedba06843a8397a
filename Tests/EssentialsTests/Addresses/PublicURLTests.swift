import Testing

@testable import Essentials

@Suite("Public URL")
struct PublicURLTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com", ""), ("https://example.com/", "https://example.com", ""),
        ("HTTPS://Example.com:443/auth", "https://example.com", "/auth"),
        ("https://example.com/auth/", "https://example.com", "/auth"),
        ("http://localhost:8080/a/b", "http://localhost:8080", "/a/b"),
        ("http://[::1]:81/A-z_0.9~", "http://[::1]:81", "/A-z_0.9~"),
        ("https://München.example/a", "https://xn--mnchen-3ya.example", "/a"),
        ("https://example.com/...", "https://example.com", "/..."),
    ])
    func `a URL is an origin and a path without a slash at its end`(text: String, origin: String, path: String) throws {
        let url = try #require(PublicURL(text))
        #expect(url.origin.text == origin && url.path == path && url.text == origin + path)
        #expect(url.url("/login") == "\(origin)\(path)/login" && url.local("/login") == "\(path)/login")
    }

    @Test(arguments: [
        "", "/auth", "example.com/auth", "ftp://example.com", "https://", "https:///auth", "https://example.com//",
        "https://example.com//auth", "https://example.com/auth//", "https://example.com/a//b",
        "https://example.com/.", "https://example.com/..", "https://example.com/a/../b", "https://example.com/./a",
        "https://example.com/%61", "https://example.com/a b", "https://example.com/a?b", "https://example.com/a#b",
        "https://example.com?b", "https://example.com/a;b", "https://example.com/a:b", "https://example.com/a\\b",
        "https://example.com/tür", "https://example.com/a\u{301}", "https://example.com/a\u{0}",
        "https://example.com/a\n", "https://user@example.com/auth", "https://example.com/{{a}}",
        "https://example.com/\"",
    ])
    func `a path that could be read in two ways is refused`(text: String) {
        #expect(PublicURL(text) == nil)
    }

    @Test func `a page is what follows the path`() throws {
        let mounted = try #require(PublicURL("https://example.com/auth"))
        let pages = [
            "/auth": "/", "/auth/": "/", "/auth?a=/b": "/?a=/b", "/auth/login": "/login", "/auth//x": "//x",
            "/auth/auth/google?a": "/auth/google?a",
        ]
        for (target, page) in pages { #expect(mounted.page(at: target) == page[...], "\(target)") }
        let outside = [
            "/", "", "/login", "/author", "/auth.html", "/AUTH/login", "/%61uth/login", "//auth/login", "auth",
        ]
        for target in outside { #expect(mounted.page(at: target) == nil, "\(target)") }
        let whole = try #require(PublicURL("https://example.com"))
        #expect(whole.page(at: "/login?a") == "/login?a" && whole.page(at: "") == nil && whole.page(at: "?a") == nil)
    }
}
