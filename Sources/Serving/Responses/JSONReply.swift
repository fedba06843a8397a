import Foundation
package import HTTPTypes
package import Hummingbird
import NIOCore

/// Answers with JSON: names as given (callers write snake case), sorted; moments in RFC 3339, UTC,
/// to the second.
package enum JSONReply {
    package static func of(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, type: String = "application/json"
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = ByteBuffer(bytes: try encoder.encode(value))
        return Response(status: status, headers: [.contentType: type], body: .init(byteBuffer: body))
    }

    /// JSON that is made already; never cached.
    package static func made(_ json: some Sequence<UInt8>) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }

    /// 204.
    package static var nothing: Response { Response(status: .noContent) }
}
