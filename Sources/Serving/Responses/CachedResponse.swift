import Essentials
import HTTPTypes
import Hummingbird
import NIOCore

/// What is made once and sent many times, from memory: a page that is the same for everybody, a
/// static file.
package struct CachedResponse: Sendable {
    let headers: HTTPFields
    let body: ByteBuffer

    /// The length comes first: Hummingbird and NIO look for it in every answer, from the front.
    init(_ body: ByteBuffer, headers: HTTPFields) {
        self.init(headers: [.contentLength: "\(body.readableBytes)"] + headers, body: body)
    }

    /// The same, with more headers.
    func adding(_ more: HTTPFields) -> CachedResponse {
        CachedResponse(headers: headers + more, body: body)
    }

    private init(headers: HTTPFields, body: ByteBuffer) {
        (self.headers, self.body) = (headers, body)
    }

    /// All of it, or 304 for a client that has it already.
    func response(to request: Request) -> Response {
        guard let known = request.headers[.ifNoneMatch], isNamed(in: known) else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
        }
        return Response(status: .notModified, headers: headers)
    }

    /// Whether `If-None-Match` names this body: any, or one of a list, compared weakly (RFC 9110
    /// section 13.1.2).
    func isNamed(in ifNoneMatch: String) -> Bool {
        // A longer list is of no client's own making: it gets the body.
        guard let etag = headers[.eTag], ifNoneMatch.utf8.count <= 1000 else { return false }
        return ifNoneMatch.parts(by: ",").lazy.map(\.trimmingSpaces).contains { tag in
            tag == "*" || tag.isExactly(etag) || tag.isExactly("W/" + etag)
        }
    }
}
