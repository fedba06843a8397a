import Testing

@testable import Essentials

struct RequestTargetTests {
    @Test(arguments: [
        "/", "/a/b.html", "/a//b", "/a?x=1&y=%2F", "/?to=//evil", "/100%", "/a%20b", "/a%3Fb%23c", "/.well-known/x",
        "/...", "/a.b/..c", "/a?../..", "/a?x=\\", "/;/", "/%E2%9C%93",
    ])
    func `what every server reads alike is kept as it came`(text: String) {
        #expect(RequestTarget(text)?.text == text)
    }

    @Test(arguments: [
        "", "a", "?x", "//evil.example/x", "https://evil.example/", "/\\evil", "/a\\b", "/a%5cb", "/a%5Cb", "/a%2fb",
        "/a%2Fb", "/%2f%2fevil", "/a%00", "/a#b", "/a?b#c", "/..", "/.", "/a/../b", "/a/./b", "/a/%2e%2e/b", "/%2E/",
        "/.%2e", "/..;/admin", "/a/..;x=1/b", "/.;/", "/a b", "/a\tb", "/a\u{0}b", "/ä", "/a\u{7F}", "/\u{301}",
    ])
    func `what servers read in different ways is none`(text: String) {
        #expect(RequestTarget(text) == nil)
    }

    @Test func `a target has at most 8192 bytes`() {
        #expect(RequestTarget("/" + String(repeating: "a", count: 8191)) != nil)
        #expect(RequestTarget("/" + String(repeating: "a", count: 8192)) == nil)
    }
}
