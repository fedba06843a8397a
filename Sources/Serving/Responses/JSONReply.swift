import Foundation
package import HTTPTypes
package import Hummingbird
import NIOCore

/// Answers with JSON.
package enum JSONReply {
    package static func of(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, type: String = "application/json"
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = ByteBuffer(bytes: try encoder.encode(value))
        return Response(status: status, headers: [.contentType: type], body: .init(byteBuffer: body))
    }

    /// 204.
    package static var nothing: Response { Response(status: .noContent) }
}

extension Date {
    /// RFC 3339, in UTC, to the second.
    package var stamp: String { formatted(.iso8601) }
}
