import Essentials
package import HTTPTypes
import NIOHTTP1

/// The header fields that a proxy's question is read from, found in one pass: every request to an
/// application pays for it.
package struct QuestionFields: Sendable {
    /// One that may come once.
    struct Field: Sendable {
        let name: StaticString
        private var value: String?
        private var isRepeated = false

        init(_ name: StaticString) {
            self.name = name
        }

        mutating func read(_ value: String) {
            isRepeated = self.value != nil
            self.value = value
        }

        func atMostOne() throws(ForwardedRequestFault) -> String? {
            guard !isRepeated else { throw .repeated("\(name)") }
            return value
        }

        func only() throws(ForwardedRequestFault) -> String {
            guard let value = try atMostOne() else { throw .missing("\(name)") }
            return value
        }
    }

    private(set) var forwardedMethod = Field("X-Forwarded-Method")
    private(set) var forwardedProto = Field("X-Forwarded-Proto")
    private(set) var forwardedHost = Field("X-Forwarded-Host")
    private(set) var forwardedURI = Field("X-Forwarded-Uri")
    private(set) var originalMethod = Field("X-Original-Method")
    private(set) var originalURL = Field("X-Original-URL")
    /// Each line of `Cookie`.
    private(set) var cookies: [String] = []
    /// `Vestibule-Token`: lines of one name are one list (RFC 9110 section 5.3).
    package private(set) var token: String?

    package init(_ headers: HTTPFields) {
        for field in headers { read(field.name.rawName, field.value) }
    }

    init(_ headers: HTTPHeaders) {
        for (name, value) in headers { read(name, value) }
    }

    private mutating func read(_ name: String, _ value: String) {
        switch name.utf8.count {
        case 6: if name.isIgnoringCase("cookie") { cookies.append(value) }
        case 14: if name.isIgnoringCase("x-original-url") { originalURL.read(value) }
        case 15:
            if name.isIgnoringCase("x-forwarded-uri") {
                forwardedURI.read(value)
            } else if name.isIgnoringCase("vestibule-token") {
                token = token.map { "\($0), \(value)" } ?? value
            }
        case 16: if name.isIgnoringCase("x-forwarded-host") { forwardedHost.read(value) }
        case 17:
            if name.isIgnoringCase("x-original-method") {
                originalMethod.read(value)
            } else if name.isIgnoringCase("x-forwarded-proto") {
                forwardedProto.read(value)
            }
        case 18: if name.isIgnoringCase("x-forwarded-method") { forwardedMethod.read(value) }
        default: break
        }
    }
}
