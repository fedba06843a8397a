package import HTTPTypes
package import Hummingbird
import NIOCore

/// A short answer as a value, to be sent by the routes or at once.
package struct PlainAnswer: Sendable {
    let status: HTTPResponse.Status
    /// Besides those of every answer.
    package var fields: [HTTPField]
    let text: String

    package init(_ status: HTTPResponse.Status, _ fields: [HTTPField], text: String = "") {
        (self.status, self.fields, self.text) = (status, fields, text)
    }

    /// With those headers as well.
    package func response(adding headers: HTTPFields = [:]) -> Response {
        var headers = headers
        for field in fields { headers.append(field) }
        let body = text.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: text))
        return Response(status: status, headers: headers, body: body)
    }
}

/// Plain answers as they go to the socket.
struct PlainAnswerBytes {
    /// Lines of every answer.
    private let common: String
    /// How answers begin, by status; with the time they were made at.
    private var beginnings: [Int: ByteBuffer] = [:]
    private var date = ""
    /// Bytes that are enough for most.
    private static let usual = 2048

    init(headers: HTTPFields) {
        common = headers.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
    }

    mutating func bytes(of answer: PlainAnswer, at date: String) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: Self.usual)
        bytes.writeImmutableBuffer(beginning(answer.status, date))
        for field in answer.fields {
            bytes.writeString(field.name.rawName)
            bytes.writeStaticString(": ")
            bytes.writeString(field.value)
            bytes.writeStaticString("\r\n")
        }
        if answer.text.isEmpty {
            bytes.writeStaticString("Content-Length: 0\r\n\r\n")
        } else {
            bytes.writeString("Content-Length: \(answer.text.utf8.count)\r\n\r\n")
            bytes.writeString(answer.text)
        }
        return bytes
    }

    private mutating func beginning(_ status: HTTPResponse.Status, _ date: String) -> ByteBuffer {
        if self.date != date {
            self.date = date
            beginnings = [:]
        }
        if let known = beginnings[status.code] { return known }
        let made = ByteBuffer(
            string: "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nDate: \(date)\r\n\(common)")
        beginnings[status.code] = made
        return made
    }
}
