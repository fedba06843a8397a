import NIOHTTP1

/// Whether the body of an answer is sent. None is to HEAD, nor with a status such as 204 and 304
/// (RFC 9110 section 6.4.1), whatever a route writes: the client would take its bytes for the next
/// answer.
struct AnswerBody {
    private let isDropped: Bool
    /// Of an answer to HEAD that does not tell the length: without one, chunks would be sent.
    private var head: HTTPResponseHead?
    private var length = 0

    init(of head: HTTPResponseHead, isToHead: Bool) {
        let mayFollow = head.status.mayHaveResponseBody
        isDropped = isToHead || !mayFollow
        self.head = isToHead && mayFollow && !head.headers.contains(name: "content-length") ? head : nil
    }

    /// Whether the head waits until the length of the body is known.
    var holdsHead: Bool { head != nil }

    /// With the length that the body would have had. Nil if the head was not held.
    var heldHead: HTTPResponseHead? {
        guard var head else { return nil }
        head.headers.remove(name: "transfer-encoding")
        head.headers.add(name: "content-length", value: "\(length)")
        return head
    }

    /// Whether so many bytes more are sent.
    mutating func isSent(_ count: Int) -> Bool {
        length += count
        return !isDropped
    }
}
