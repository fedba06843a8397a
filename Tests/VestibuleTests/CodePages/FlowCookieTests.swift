import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// One cookie holds the flows of a browser, one of a kind.
struct FlowCookieTests {
    private static let kinds: [CodeFlowKind] = [.signup, .reset, .emailChange, .emailUndo]

    private func request(_ flows: String?, _ cookies: SiteCookies) -> Request {
        var fields = HTTPFields()
        if let flows { fields[.cookie] = "\(cookies.name(.flow))=\(flows)" }
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/", headerFields: fields)
        return Request(head: head, body: .init(buffer: ByteBuffer()))
    }

    @Test func `every kind has a letter and a name of its own`() {
        #expect(Set(Self.kinds.map(\.letter)).count == Self.kinds.count)
        #expect(Set(Self.kinds.map(\.name)).count == Self.kinds.count)
        #expect(
            Self.kinds.allSatisfy { $0.letter.utf8.count == 1 && $0.letter.utf8.allSatisfy { (97...122).contains($0) } }
        )
    }

    @Test func `a flow of a kind replaces that of its kind and no other`() throws {
        let cookies = SiteCookies(publicURL: try #require(Origin("http://localhost:8080")))
        let flows = FlowCookie(cookies: cookies)
        let tokens = (0..<5).map { _ in Token(from: .system) }
        var value: String?
        for (kind, token) in zip(Self.kinds, tokens) {
            value = flows.set(kind, token, in: request(value, cookies)).value
        }
        value = flows.set(.reset, tokens[4], in: request(value, cookies)).value
        let found = Self.kinds.map { flows.flow($0, in: request(value, cookies))?.text }
        #expect(found == [0, 4, 2, 3].map { tokens[$0].text })
        value = flows.set(.signup, nil, in: request(value, cookies)).value
        #expect(flows.flow(.signup, in: request(value, cookies)) == nil)
        #expect(flows.flow(.emailUndo, in: request(value, cookies))?.text == tokens[3].text)
    }
}
