import Essentials
import HTTPTypes
package import Hummingbird
import NIOCore
import NIOHTTP1

/// A form as a browser posts it (`application/x-www-form-urlencoded`): strict UTF-8, each field at
/// most once.
package struct Form: Sendable {
    /// Bytes a request body may have.
    static let bodyLimit = 64 * 1024
    private let fields: [String: String]

    /// Throws `HTTPError`: 415 for another media type, a charset that is not like ASCII or a
    /// compressed body, 413 for too much, 400 for what is not a clean form.
    package init(_ request: Request) async throws {
        try Self.check("application/x-www-form-urlencoded", of: request)
        guard let fields = Self.decode(try await Self.body(of: request)) else { throw HTTPError(.badRequest) }
        self.fields = fields
    }

    /// Returns nil where `init(_:)` throws `HTTPError`.
    package static func ifClean(_ request: Request) async throws -> Form? {
        do {
            return try await Form(request)
        } catch is HTTPError {
            return nil
        }
    }

    /// As clients name UTF-8, and charsets that are the same where all bytes are ASCII: what is
    /// beyond is written with `%` in a form.
    static let charsets: Set = ["utf-8", "utf8", "us-ascii", "iso-8859-1", "windows-1252"]

    /// Throws 415 unless the body is said to be of that media type, in one of those charsets and
    /// not compressed.
    static func check(_ type: String, in charsets: Set<String> = Self.charsets, of request: Request) throws {
        let parts = (request.headers[.contentType] ?? "").parts(by: ";").map(\.trimmingSpaces.asciiLowercased)
        let named = parts.dropFirst().compactMap { $0.after("charset=") }
        guard parts[0].isExactly(type),
            named.allSatisfy({ charsets.contains(String($0.after("\"")?.before("\"") ?? $0)) }),
            request.headers[.contentEncoding]?.isIgnoringCase("identity") != false
        else { throw HTTPError(.unsupportedMediaType) }
    }

    /// The request's query. Returns nil for what would not be a clean form either.
    package init?(query request: Request) {
        guard let fields = Self.decode(Array((request.uri.query ?? "").utf8)) else { return nil }
        self.fields = fields
    }

    /// Throws `HTTPError`: 413 for too much, 400 for what ends early or is cut into chunks wrongly.
    static func body(of request: Request) async throws -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > bodyLimit {
            throw HTTPError(.contentTooLarge)
        }
        do {
            return Array(try await request.body.collect(upTo: bodyLimit).readableBytesView)
        } catch is HTTPParserError {
            throw HTTPError(.badRequest)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge)
        }
    }

    /// A form that was read before.
    package init(fields: [String: String]) {
        self.fields = fields
    }

    /// Every field, by name.
    package var all: [String: String] { fields }

    /// The field's value; empty when it was not sent.
    package subscript(_ name: String) -> String {
        fields[name] ?? ""
    }

    /// Whether the field was sent, be it empty.
    package func holds(_ name: String) -> Bool {
        fields[name] != nil
    }

    /// Returns `nil` for invalid escapes, invalid UTF-8, towers of combining marks or a field that
    /// comes twice.
    static func decode(_ body: [UInt8]) -> [String: String]? {
        var fields: [String: String] = [:]
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = text(parts[0]), let value = parts.count == 2 ? text(parts[1]) : "",
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return fields
    }

    private static func text(_ escaped: ArraySlice<UInt8>) -> String? {
        let spaced = escaped.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        let text = String(validating: spaced, as: UTF8.self)?.percentDecoded
        return text.flatMap { $0.isStreamSafe ? $0 : nil }
    }
}

extension Request {
    /// The same request with its body in memory, to be read more than once. Throws `HTTPError`: 413
    /// for too much, 400 for what ends early or is cut into chunks wrongly.
    package func withBody() async throws -> Request {
        var request = self
        request.body = RequestBody(buffer: ByteBuffer(bytes: try await Form.body(of: self)))
        return request
    }
}
