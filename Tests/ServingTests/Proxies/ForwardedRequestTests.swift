import HTTPTypes
import Testing

@testable import Essentials
@testable import Serving

struct ForwardedRequestTests {
    private static let forwarded: KeyValuePairs = [
        "X-Forwarded-Method": "GET", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "notes.example",
        "X-Forwarded-Uri": "/a?b=1",
    ]
    private static let original: KeyValuePairs = [
        "X-Original-Method": "GET", "X-Original-URL": "https://notes.example/a?b=1",
    ]

    /// The pairs, with another value where `changes` has one, none where that is nil, and more at
    /// the end.
    private func fields(
        _ pairs: KeyValuePairs<String, String>, _ changes: [String: String?] = [:], more: [(String, String)] = []
    ) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in pairs {
            guard let value = changes[name] ?? value else { continue }
            fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        for (name, value) in more {
            fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return fields
    }

    private func fault(_ fields: HTTPFields, _ family: ForwardedRequest.Family) -> ForwardedRequestFault? {
        do throws(ForwardedRequestFault) {
            _ = try ForwardedRequest(QuestionFields(fields), family)
            return nil
        } catch {
            return error
        }
    }

    @Test func `both families tell the same request`() throws {
        let forwarded = try ForwardedRequest(QuestionFields(fields(Self.forwarded)), .forwarded)
        #expect(try forwarded == ForwardedRequest(QuestionFields(fields(Self.original)), .original))
        #expect(forwarded.method == "GET" && forwarded.origin.text == "https://notes.example")
        #expect(forwarded.target.text == "/a?b=1")
    }

    @Test(arguments: ["NOTES.example", "notes.EXAMPLE:443", "notes.example:"])
    func `one origin has many spellings`(host: String) throws {
        let asked = try ForwardedRequest(QuestionFields(fields(Self.forwarded, ["X-Forwarded-Host": host])), .forwarded)
        #expect(asked.origin.text == "https://notes.example")
        let url = "HTTPS://\(host)/a?b=1"
        #expect(
            try ForwardedRequest(QuestionFields(fields(Self.original, ["X-Original-URL": url])), .original) == asked)
    }

    @Test(arguments: ["notes.example.", "notes.example:444", "notes.example, evil.example", "a@notes.example"])
    func `other hosts are other origins or none`(host: String) throws {
        let changed = try fields(Self.forwarded, ["X-Forwarded-Host": host])
        #expect((try? ForwardedRequest(QuestionFields(changed), .forwarded))?.origin.text != "https://notes.example")
    }

    @Test func `every header of the family is needed, once`() throws {
        for (pairs, family) in [(Self.forwarded, ForwardedRequest.Family.forwarded), (Self.original, .original)] {
            for (name, value) in pairs {
                #expect(fault(try fields(pairs, [name: nil]), family) == .missing(name))
                #expect(fault(try fields(pairs, more: [(name, value)]), family) == .repeated(name))
            }
        }
    }

    @Test(arguments: [
        ("X-Original-URL", "https://evil.example/a?b=1"), ("X-Original-URL", "https://notes.example/b"),
        ("X-Original-URL", "http://notes.example/a?b=1"), ("X-Original-Method", "POST"),
    ])
    func `the other family must not tell of another request`(name: String, value: String) throws {
        #expect(fault(try fields(Self.forwarded, more: [(name, value)]), .forwarded) == .disagreement)
    }

    @Test(arguments: [
        ("X-Forwarded-Uri", "/b"), ("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "http"),
        ("X-Forwarded-Method", "POST"),
    ])
    func `nor the first of another than the second`(name: String, value: String) throws {
        #expect(fault(try fields(Self.original, more: [(name, value)]), .original) == .disagreement)
        let same = Self.forwarded.first { $0.key == name }?.value ?? ""
        #expect(fault(try fields(Self.original, more: [(name, same)]), .original) == nil)
    }

    @Test(arguments: [
        "//evil.example", "/%2f", "/..;/", "/%2e%2e/", "/a\\b", "/a%00", "/a#b", "", "a", "https://evil.example/",
    ])
    func `a path that servers read in different ways is refused`(target: String) throws {
        #expect(fault(try fields(Self.forwarded, ["X-Forwarded-Uri": target]), .forwarded) != nil)
        let url = "https://notes.example\(target)"
        // An authority alone is the first page, and letters behind it make another host.
        let isRefused = !["", "a"].contains(target)
        #expect((fault(try fields(Self.original, ["X-Original-URL": url]), .original) != nil) == isRefused)
    }

    @Test(arguments: ["", "get", "GET POST", "GET,POST", String(repeating: "A", count: 33)])
    func `a method is letters in upper case`(method: String) throws {
        #expect(fault(try fields(Self.forwarded, ["X-Forwarded-Method": method]), .forwarded) == .malformed("method"))
    }
}
