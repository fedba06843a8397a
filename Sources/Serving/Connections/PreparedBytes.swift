import HTTPTypes
import NIOCore

/// A prepared answer as it goes to the socket, head and body in one buffer. Only the time is put in
/// later: in place, or into a copy while a socket still holds the bytes.
final class PreparedBytes {
    private let body: CachedResponse
    private var whole: ByteBuffer
    private let headLength: Int
    private var notModified: ByteBuffer
    private var date = ""
    private static let upToDate = (
        whole: "HTTP/1.1 200 OK\r\nDate: ", notModified: "HTTP/1.1 304 Not Modified\r\nDate: "
    )
    private static let anyDate = "Sun, 06 Nov 1994 08:49:37 GMT"

    init(_ body: CachedResponse) {
        self.body = body
        whole = Self.head(Self.upToDate.whole, body.headers)
        headLength = whole.readableBytes
        whole.writeImmutableBuffer(body.body)
        var headers = body.headers
        // An answer without a body says no length.
        headers[.contentLength] = nil
        notModified = Self.head(Self.upToDate.notModified, headers)
    }

    private static func head(_ upToDate: String, _ headers: HTTPFields) -> ByteBuffer {
        let fields = headers.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
        return ByteBuffer(string: "\(upToDate)\(anyDate)\r\n\(fields)\r\n")
    }

    /// For GET or HEAD, with `If-None-Match` as it was sent.
    func answer(at date: String, headOnly: Bool, ifNoneMatch: String?) -> ByteBuffer {
        if self.date != date {
            self.date = date
            whole.setString(date, at: Self.upToDate.whole.utf8.count)
            notModified.setString(date, at: Self.upToDate.notModified.utf8.count)
        }
        if let ifNoneMatch, body.isNamed(in: ifNoneMatch) { return notModified }
        return headOnly ? whole.getSlice(at: 0, length: headLength) ?? whole : whole
    }
}
